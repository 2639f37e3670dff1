"""What a run leaves: reports in all forms."""
