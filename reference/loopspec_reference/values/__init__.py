"""Values that pass through a run: messages, events, errors, and the language of texts."""
