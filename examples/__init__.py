"""Example balancers for evenkeel."""
