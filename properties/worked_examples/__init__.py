"""Worked examples of single functions: calls and answers, computed by hand from the documents.

They are for what no question asks. Each file is one chapter's, module by module. A judge's answer
may come from the reference; these answers never do.
"""
