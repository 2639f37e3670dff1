"""A run: its state, its lifecycle, cancellation and checkpoints."""
