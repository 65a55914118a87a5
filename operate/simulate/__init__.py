"""Scenario files, and runs of them under one balancer or several."""
