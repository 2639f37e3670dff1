"""Differential runs: two targets perform generated scenes, and their observations are compared.

Only this package imports hypothesis, which is in the extra `loopspec[fuzz]`.
"""
