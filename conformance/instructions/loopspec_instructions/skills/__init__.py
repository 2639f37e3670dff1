"""Agent Skills as different tools find them: one reader, and the answers of each tool as data.

`questions.toml` has the questions with their values, and `tools` has a file for each tool: what its document says, with
a link, and what was measured. `reasons.toml` says why a tool passes over a skill.
"""
