"""Liars about never inserting twice."""
