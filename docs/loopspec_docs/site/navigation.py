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


# The pages of the course, in order, with the words of their links.
COURSE = {
    "the-loop": "The loop",
    "tools": "Tools",
    "streaming": "Streaming",
    "limits": "Limits",
    "retries": "Retries",
    "hooks": "Hooks",
    "sub-agents": "Sub-agents",
    "stopping": "Stopping",
    "instruction-files": "Instructions",
    "testing": "Testing",
}
GROUPS = (
    Group("Course", {f"course/{name}.html": words for name, words in COURSE.items()}),
    Group(
        "Overview",
        {
            "index.html": "Start",
            "pictures.html": "Pictures",
            "examples.html": "Examples",
            "words.html": "Words",
            "names.html": "Names in frameworks",
            "command-line.html": "Command line",
            "guide/why-a-suite-like-this.html": "Why a suite",
            "guide/what-conformant-means.html": "What conformant means",
            "guide/how-the-harness-cannot-be-fooled.html": "The harness",
            "guide/how-a-rule-is-born.html": "How a rule is born",
        },
    ),
    Group(
        "Rules",
        {
            "topics.html": "Topics",
            "phrases.html": "Phrasebook",
            "decisions.html": "Decisions",
            "uncovered.html": "Not covered",
            "mutants.html": "Mutants",
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
            "guide/what-an-adapter-may-do.html": "What an adapter may do",
            "museum.html": "Museum of real bugs",
            "guide/what-users-report.html": "What users report",
            "guide/verdicts-and-baselines.html": "Verdicts and baselines",
            "guide/postures.html": "Postures",
            "guide/variants-and-invariants.html": "Variants and invariants",
            "guide/reports-and-ci.html": "Reports and CI",
            "guide/find-differences-between-two-agents.html": "Find differences",
            "guide/is-this-session-broken.html": "Stored sessions",
            "guide/when-a-process-dies.html": "Killed processes",
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
)
