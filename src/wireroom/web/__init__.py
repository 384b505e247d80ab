"""The web reader: pages for people, made on the server, with a little script for comfort."""
