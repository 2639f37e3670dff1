"""What one call is made of: models, outputs, wrappers, retries and failovers."""
