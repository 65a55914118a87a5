"""Balancers written from the documents and the pages of the wire protocol alone."""
