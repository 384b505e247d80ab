"""How much of a document is read: lengths in characters unless a name says otherwise (PRS-21).

Text over its limit is cut, an address over its limit is dropped.
"""

#: Raise when the same bytes may be read differently than before: all items are then read anew.
PARSER_VERSION = b"wireroom-parser-6"

#: Items read of one document, in document order (HTTP-21).
MAX_ITEMS = 500

MAX_TITLE = 1024
MAX_NAME = 256
MAX_URL = 2048
#: A longer summary without content beside it is the content.
MAX_SUMMARY = 65_536
MAX_CONTENT = 2_097_152
MAX_FEED_TITLE = 512
MAX_DESCRIPTION = 2048
#: Identifiers are opaque: a longer one is left out rather than cut.
MAX_GUID = 8192
#: Categories, authors, enclosures and rarer facts kept of one item.
MAX_LIST = 64
#: Characters of a rarer fact.
MAX_FACT = 2048
