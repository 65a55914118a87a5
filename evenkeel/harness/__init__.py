"""What puts trials to a subject and keeps what the judge says.

Importing this package must not need anything but the standard library: Spark workers use it.
"""
