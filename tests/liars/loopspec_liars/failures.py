"""Liars about missing and unreadable files, and what the backend is asked."""
