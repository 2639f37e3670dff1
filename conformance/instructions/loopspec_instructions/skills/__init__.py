"""Agent Skills as different tools find them: one reader, and the answers of each tool as data.

`questions.toml` has the questions with their values, and `tools` has a file for each tool: what its document says, with
a link, and what was measured. `reasons.toml` says why a tool passes over a skill.
"""

from ..answers import questions, reasons, skill_dialects, values_of
from .reader import Skill, Skills, Unseen, read_skills

__all__ = ["Skill", "Skills", "Unseen", "questions", "read_skills", "reasons", "skill_dialects", "values_of"]
