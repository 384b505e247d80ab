"""The first loop: due feeds are asked, read, compared and stored. Start reading at `refresh`."""
