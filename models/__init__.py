"""What is proved: theorems over symbolic values, and state graphs of small scopes."""
