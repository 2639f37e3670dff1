"""One run: its values, its lifecycle, its cancellation and its checkpoints.

What belongs here: the state of a run and the functions that a handler or a tool calls within a run, how a run starts,
is cancelled and ends, and what a checkpoint holds. The loop itself belongs to `loop`.
"""
