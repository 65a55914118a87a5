"""Put trials to a subject and count the judge's verdicts.

Importing this package must not need anything but the standard library: Spark workers use it.
"""
