"""The loop: an agent, its model calls and its tool calls."""
