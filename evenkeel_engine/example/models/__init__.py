"""What is proved: theorems over all values, and state graphs of small scopes."""
