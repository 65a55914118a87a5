"""What is proved about `reference/shedding/uniform.py`; a module is named by its claim."""
