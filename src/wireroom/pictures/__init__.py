"""Publishers' pictures through our own address, so that they do not learn who reads what, when."""
