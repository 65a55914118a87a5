"""What holds the specification, the reference, the judges and the models against one another.

`check --everything` runs each sweep once; the tests only show that each sweep can fail. A sweep is
a module with jobs for worker processes (`sweep.py`); `catalogue.py` lists them, `running.py` runs
them.
"""
