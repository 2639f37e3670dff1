"""From steps to a Scene and its checks."""
