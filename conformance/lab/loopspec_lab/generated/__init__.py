"""Pinned generated scenes, each with what the reference does: a second opinion that no author of rules has written."""
