"""Loads, imports and insertions of generated texts, compared with the model and with properties of any load."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass

import msgspec
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from loopspec_reference import AnyMessage, MemoryBackend, ModelContext, ReadRequest, State, ToolInfo
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, LoadWarning, load
from loopspec_reference.agentsmd.mentions import mentions
from loopspec_reference.agentsmd.paths import clean_path, resolve
from loopspec_reference.runs.run import Run, current_run

from .model import Outcome, clean, predict, scan, size, target
from .talk import EXTRAS, MARKED, TYPES, messages
from .trees import Fault, Recorded, Tree, faulty, limited, trees


@st.composite
def cases(draw: st.DrawFn) -> Tree:
    """Trees, some with faults, some with a relevant limit."""
    tree = draw(trees())
    if draw(st.booleans()):
        tree = draw(faulty(tree))
    if draw(st.booleans()):
        tree = draw(limited(tree, tuple(size(tree.content(path)) for path in predict(tree).reads)))
    return tree


@dataclass
class Loaded:
    """One load by the reference."""

    outcome: Outcome
    requests: list[ReadRequest]
    raised: list[BaseException]
    error: BaseException | None = None


def loaded(tree: Tree) -> Loaded:
    """Load the tree."""
    backend = Recorded(tree)
    warnings: list[LoadWarning] = []
    seen = Loaded(Outcome(), backend.requests, backend.raised)
    try:
        sections = asyncio.run(load(backend, tree.configured, tree.limit, warnings.append))
        seen.outcome.shown = [(section.path, section.text) for section in sections]
    except BaseException as error:  # a cancellation is no Exception
        seen.error = error
        seen.outcome.failed = backend.requests[-1].file_path
    seen.outcome.reads = [request.file_path for request in backend.requests]
    seen.outcome.warnings = [(warning.path, warning.reason) for warning in warnings]
    return seen


@settings(max_examples=4 * settings().max_examples)  # the most valuable property here
@given(cases())
def test_a_load_equals_the_model(tree: Tree) -> None:
    """Loaded files, reads, warnings and failure are those of the model, in order."""
    expected = predict(tree)
    for reason in {reason for _, reason in expected.warnings}:
        event(reason.name)
    event(f"failed: {tree.fault(expected.failed) if expected.failed else None}")
    event(f"limited: {tree.limit > 0}")

    assert loaded(tree).outcome == expected


@given(cases())
def test_no_file_is_read_twice_or_partly(tree: Tree) -> None:
    """Every path is normalized, read once, and read completely."""
    requests = loaded(tree).requests

    assert requests == [ReadRequest(clean(request.file_path)) for request in requests]
    assert max(Counter(request.file_path for request in requests).values()) == 1


@given(trees(), st.data())
def test_files_beyond_the_limit_belong_to_the_first_group(tree: Tree, data: st.DataObject) -> None:
    """The loaded files are within the limit, or all belong to the first configured file with content."""
    limit = data.draw(st.integers(1, 120))
    shown = loaded(Tree(tree.files, tree.configured, limit=limit)).outcome.shown
    alone = (
        loaded(Tree(tree.files, (path,), limit=limit)).outcome.shown
        for path in tree.configured
        if tree.content(clean(path))
    )

    within = sum(size(tree.content(path)) for path, _ in shown) <= limit
    assert within or shown == next(alone)


@given(trees(), st.sampled_from([fault for fault in Fault if not fault.means_missing]), st.data())
def test_an_error_is_raised_unchanged(tree: Tree, fault: Fault, data: st.DataObject) -> None:
    """The error is the backend's, the last read is the failing one, and a note names the path."""
    path = data.draw(st.sampled_from(predict(tree).reads))
    seen = loaded(Tree(tree.files, tree.configured, {path: fault}))

    assert seen.error is seen.raised[-1]
    assert seen.requests[-1] == ReadRequest(path)
    notes = [] if fault is Fault.CANCELLED else getattr(seen.error, "__notes__", ["no note"])
    assert all(note.startswith(f"while loading {path!r}") for note in notes)


_SIGNS = "@@@@@./~-_ \n\r\t,;:#?!()[]<>'\"*|\\%+9aZ"
_ENDINGS = [".md", ".txt", ".mdx", ".yaml", ".yml", ".json", ".toml", ".MD"]
_FOREIGN = ["é", "规则", "😀", "\ufeff", "\x00", "\u2028", "\ufffd", "٣", "ſ", "\N{KELVIN SIGN}"]
_PIECES = st.sampled_from([*_SIGNS, *_ENDINGS, *_FOREIGN, "bob", "/p", "..", "./"])
_NAMES = st.builds("@{}{}{}".format, _PIECES, _PIECES, st.sampled_from([*_ENDINGS, "/", ""]))
TEXTS = st.one_of(st.lists(st.one_of(_PIECES, _NAMES), max_size=12).map("".join), st.text(max_size=20))
_SEGMENTS = st.sampled_from(["", ".", "..", "...", "a", "b.md", ".hidden", "a b", "规则", "~", "..a", "a.", "-"])
SPELLINGS = st.lists(_SEGMENTS, min_size=1, max_size=8).map("/".join)


@settings(max_examples=5 * settings().max_examples)  # fast examples
@given(TEXTS)
@example("@é.md @规则/s.md @٣.md @ſ.md @a.tom @b.toml @c.json @d.yml @e.yaml @f.mdx @g.txt")
@example("@a.md.bak @a.b.md @.md @md @.env @f.MD @/ @.. @../ bob@example.com/x @-a.md @@a.md @a.md@b.md.")
def test_imports_equal_those_of_the_model(text: str) -> None:
    """The imports are equal, in order and with repetitions."""
    assert list(mentions(text)) == list(scan(text))


@given(st.lists(TEXTS.filter(lambda text: "@" not in text), max_size=4), st.sampled_from([" ", "\n", ",", "é"]))
def test_imports_are_independent_of_the_text_between(texts: list[str], gap: str) -> None:
    """A text between two imports neither adds nor hides an import."""
    names = [f"rules/{number}.md" for number in range(len(texts))]
    text = "".join(f"{before}@{name}{gap}" for before, name in zip(texts, names, strict=True))

    assert list(mentions(text)) == names


@given(SPELLINGS)
@example("")
@example("//a")
@example("///")
def test_a_path_is_normalized(path: str) -> None:
    """The normalized path is the model's, and normalizing is idempotent."""
    cleaned = clean_path(path)

    assert cleaned == clean(path)
    assert clean_path(cleaned) == cleaned


@given(TEXTS, SPELLINGS)
def test_an_import_has_the_target_of_the_model(text: str, importer: str) -> None:
    """A path is relative to the importing file's folder, or absolute."""
    importer = clean_path(importer)

    assert [resolve(name, importer) for name in mentions(text)] == [target(name, importer) for name in scan(text)]


_TOOLS = (ToolInfo("search"), ToolInfo("calculate"))


def handler(message_type: type[AnyMessage], content: str = "Answer in French.") -> AgentsMD[AnyMessage]:
    """A middleware for one file."""
    return AgentsMD(Config(backend=MemoryBackend({"/p/a.md": content}), files=["/p/a.md"]), message_type)


def applied(agentsmd: AgentsMD[AnyMessage], given: list[AnyMessage], *, times: int = 1) -> State[AnyMessage]:
    """The state after a number of calls of the hook in one run."""

    async def run() -> State[AnyMessage]:
        current_run.set(Run("agent", {}))
        state = State(tuple(given), _TOOLS)
        for _ in range(times):
            state = await agentsmd.before_model(state, ModelContext())
        return state

    return asyncio.run(run())


@st.composite
def conversations(draw: st.DrawFn) -> tuple[type[AnyMessage], list[AnyMessage]]:
    """A message type, and a conversation of that type without a marked message."""
    message_type = draw(TYPES)
    return message_type, draw(st.lists(messages(message_type, EXTRAS), max_size=6))


@given(conversations())
def test_a_second_call_changes_nothing(conversation: tuple[type[AnyMessage], list[AnyMessage]]) -> None:
    """Two calls of the hook in one run have the effect of one call."""
    message_type, given = conversation

    assert applied(handler(message_type), given, times=2) == applied(handler(message_type), given)


@given(conversations())
def test_messages_reach_the_model_unchanged_and_in_order(
    conversation: tuple[type[AnyMessage], list[AnyMessage]],
) -> None:
    """The other messages are the same objects with the same content."""
    message_type, given = conversation
    before = msgspec.msgpack.encode(given)
    state = applied(handler(message_type), given)

    assert [id(message) for message in state.messages if MARKER not in message.extra] == [id(m) for m in given]
    assert msgspec.msgpack.encode(given) == before
    assert state.tools is _TOOLS


@given(conversations())
def test_one_marked_user_message_precedes_the_first_user_message(
    conversation: tuple[type[AnyMessage], list[AnyMessage]],
) -> None:
    """The message has the type of the conversation; without a user message, it is the last one."""
    message_type, given = conversation
    after = applied(handler(message_type), given).messages

    [at] = [at for at, message in enumerate(after) if MARKER in message.extra]
    assert at == [*(message.role for message in given), "user"].index("user")
    assert after[at] == message_type.user(after[at].text, {MARKER: True})


@given(TYPES, st.data())
def test_a_marked_conversation_is_unchanged(message_type: type[AnyMessage], data: st.DataObject) -> None:
    """A marker of any value on any message prevents the insertion."""
    some = st.lists(messages(message_type, EXTRAS), max_size=3)
    given = [*data.draw(some), data.draw(messages(message_type, MARKED)), *data.draw(some)]

    assert [id(message) for message in applied(handler(message_type), given).messages] == [id(m) for m in given]


@given(conversations())
def test_empty_instructions_are_not_inserted(conversation: tuple[type[AnyMessage], list[AnyMessage]]) -> None:
    """An empty file adds no message."""
    message_type, given = conversation

    assert applied(handler(message_type, ""), given, times=2).messages == tuple(given)
