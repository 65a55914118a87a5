"""Trials and kept files against mutants of the reference: which of them does a clause notice?"""
