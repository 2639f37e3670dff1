"""The features as Cucumber messages: sources, syntax trees, pickles and step definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gherkin.ast_builder import AstBuilder
from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler
from gherkin.stream.id_generator import IdGenerator

from loopspec_steps import BOOK, Phrase

from ..contract.specification import feature_path
from ..specification.cases import Case
from ..specification.features import compiled

Envelope = Mapping[str, object]

_HOLE = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True)
class PickledStep:
    """A step of a pickle, with the id of its phrase and the arguments of the phrase."""

    id: str
    phrase: str
    arguments: list[dict[str, object]]


@dataclass(frozen=True)
class Pickled:
    """A case as a pickle."""

    case: Case
    id: str
    steps: tuple[PickledStep, ...]


@dataclass
class Pickles:
    """The feature files of some cases, and their pickles by case. `ids` numbers the messages of the stream."""

    ids: IdGenerator = field(default_factory=IdGenerator)
    envelopes: list[Envelope] = field(default_factory=list)
    by_case: dict[str, Pickled] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._phrases: dict[Phrase, str] = {}

    def add(self, cases: Iterable[Case]) -> None:
        """Add the files, the pickles and the phrases of these cases."""
        wanted = {case.id for case in cases}
        files = dict.fromkeys(case.file for case in compiled() if case.id in wanted)
        for file in files:
            self._add_file(file, wanted)
        self.envelopes += [_step_definition(phrase, id_) for phrase, id_ in self._phrases.items()]

    def _add_file(self, file: str, wanted: set[str]) -> None:
        text = feature_path(file).read_text(encoding="utf-8")
        # Any: Gherkin's JSON-like tree, which is the message
        document: Any = Parser(AstBuilder(self.ids)).parse(text) | {"uri": file}
        source = {"uri": file, "data": text, "mediaType": "text/x.cucumber.gherkin+plain"}
        self.envelopes += [{"source": source}, {"gherkinDocument": document}]
        of_file = [case for case in compiled() if case.file == file]
        for case, pickle in zip(of_file, Compiler(self.ids).compile(document), strict=True):
            if case.id in wanted:
                self.envelopes.append({"pickle": pickle})
                steps = tuple(self._step(case, at, node["id"]) for at, node in enumerate(pickle["steps"]))
                self.by_case[case.id] = Pickled(case, pickle["id"], steps)

    def _step(self, case: Case, at: int, id_: str) -> PickledStep:
        step = case.steps[at]
        phrase = BOOK.match(step.kind, step.text).phrase
        if phrase not in self._phrases:
            self._phrases[phrase] = self.ids.get_next_id()
        return PickledStep(id_, self._phrases[phrase], list(_arguments(phrase, step.text)))


def _arguments(phrase: Phrase, text: str) -> Iterator[dict[str, object]]:
    """The arguments with their positions, which Cucumber counts in units of UTF-16."""
    found: Any = phrase.parser.parse(text)  # Any: `parse` has no types
    for start, end in found.spans.values():
        yield {"group": {"start": len(text[:start].encode("utf-16-le")) // 2, "value": text[start:end], "children": []}}


def _step_definition(phrase: Phrase, id_: str) -> Envelope:
    pattern = "(.*)".join(re.escape(part) for part in _HOLE.split(phrase.sentence))
    return {
        "stepDefinition": {
            "id": id_,
            "pattern": {"source": f"^{pattern}$", "type": "REGULAR_EXPRESSION"},
            "sourceReference": {
                "uri": f"{phrase.source.module.replace('.', '/')}.py",
                "location": {"line": phrase.source.line},
            },
        }
    }
