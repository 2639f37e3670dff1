"""The navigation of the site: its pages in six groups. A page below another one marks that one as current."""

from __future__ import annotations

from msgspec import Struct


class Group(Struct, frozen=True):
    """A group of pages: the address of each with the words of its link. The first page stands for the group."""

    name: str
    pages: dict[str, str]

    @property
    def first(self) -> str:
        """The address of its first page."""
        return next(iter(self.pages))


GROUPS = (
    Group(
        "Start",
        {
            "index.html": "Overview",
            "pictures.html": "Pictures",
            "examples.html": "Examples",
            "reference.html": "Read the reference",
            "words.html": "Words",
            "names.html": "Names in frameworks",
        },
    ),
    Group(
        "Rules",
        {
            "topics.html": "Topics",
            "phrases.html": "Phrasebook",
            "decisions.html": "Decisions",
            "uncovered.html": "Not covered",
        },
    ),
    Group(
        "Build an adapter",
        {
            "guide/write-an-adapter-in-python.html": "In Python",
            "guide/write-an-agent-adapter.html": "For an agent",
            "guide/write-an-adapter-in-any-language.html": "In any language",
            "guide/judge-a-handler.html": "For a handler",
            "guide/test-your-backend.html": "For a backend",
            "api.html": "Python API",
            "protocol.html": "Protocol",
            "messages.html": "Messages",
            "capabilities.html": "Roles, capabilities and postures",
        },
    ),
    Group(
        "Results",
        {
            "results.html": "Known results",
            "versions.html": "Versions",
            "guide/judge-known-implementations.html": "Known implementations",
            "museum.html": "Museum of real bugs",
            "guide/verdicts-and-baselines.html": "Verdicts and baselines",
            "guide/postures.html": "Postures",
            "guide/variants-and-invariants.html": "Variants and invariants",
            "guide/reports-and-ci.html": "Reports and CI",
            "guide/find-differences-between-two-agents.html": "Find differences",
        },
    ),
    Group(
        "Instruction files",
        {
            "dialects.html": "Dialects",
            "guide/which-instruction-files-does-each-tool-read.html": "Show and judge",
            "guide/lint-instruction-files.html": "Lint",
            "lint.html": "Lint rules",
        },
    ),
    Group(
        "About",
        {
            "command-line.html": "Command line",
            "mutants.html": "Mutants",
        },
    ),
)
