"""What a Then says when it fails: the thing, what was expected and seen, and how to mend it where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Answered, Event, Load, Observation, Read, Span
from loopspec.contract.scene import File, Scene
from loopspec.contract.values import Error, FileData
from loopspec_steps import Check

from .saying import FAILED, Below, asked, both, built, check_of, ended, event, hooked, said, shown

KEY_ERROR = Error(kind="other", message="KeyError: 'missing.md'")
LOOKUP = Error(kind="other", message="LookupError: no such tool")


def message(text: str, seen: Observation, below: Below = None) -> str:
    """What a Then says of something else than it wants."""
    return str(mismatch(check_of(text, below), seen))


def mismatch(check: Check, seen: Observation, scene: Scene | None = None) -> Mismatch:
    """The refusal of a check, of its own Scene or of another."""
    with pytest.raises(Mismatch) as error:
        (replace(check, scene=scene) if scene else check)(seen)
    return error.value


def answered(error: Error | None = None, content: FileData | None = None) -> Observation:
    """What a backend answered."""
    return Observation(answers=(Answered(n=0, path="missing.md", error=error, content=content),))


def loaded(error: Error | None = None) -> Observation:
    """A load."""
    return Observation(loads=(Load(n=0, error=error),))


ANSWER, MISSING, KINDLESS = (
    'the final answer is "I look."',
    "the read fails with a missing-file error",
    "the run fails because a tool is unknown",
)
FORBIDDEN = "loading fails with a permission error"
RAISED = Observation(spans=(Span(n=1, name="tool t", agent="agent", run="1", ended=2, error=FAILED),))
REFUSALS: dict[str, tuple[str, Observation, Below]] = {
    "no final answer, but an error": (ANSWER, both(ended(LOOKUP), shown(event(said("assistant", "Well.")))), None),
    "no final answer at all": (ANSWER, ended(), None),
    "no final answer, but an interrupt": (ANSWER, ended(interrupted=True), None),
    "a missing file raises an exception of no kind": (MISSING, answered(KEY_ERROR), None),
    "a missing file raises an error of another kind": (MISSING, answered(Error(kind="permission", message="no")), None),
    "a missing file returns None": (MISSING, answered(), None),
    "a missing file has a content": (MISSING, answered(content=FileData(text="x" * 50)), None),
    "an error of the harness's own files did not come through": (FORBIDDEN, loaded(KEY_ERROR), None),
    "an error of another kind came through": (FORBIDDEN, loaded(Error(kind="io")), None),
    "an error of a double did not come through": ('the run fails with the error "boom"', ended(LOOKUP), None),
    "an exception of the implementation's own needs a kind": (KINDLESS, ended(LOOKUP), None),
    "no exception needs a kind": (KINDLESS, ended(), None),
    "a run has swallowed the error of a double": ("the run fails", both(RAISED, ended()), None),
    "a run without an error": ("the run fails", ended(), None),
    "a row of several values": (
        "the cancel requests return",
        Observation(),
        [["contributed", "waiting returns"], ["yes", "cancelled"]],
    ),
    "several values": ('before model, "H" finds the JSON value 1 under "k"', hooked(found={"k": 2, "l": None}), None),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_what_a_then_says(refusal: str, snapshot: SnapshotAssertion) -> None:
    """How to mend it is said where that is known, and nowhere else. A pair is never shown as a pair."""
    assert message(*REFUSALS[refusal]) == snapshot


@pytest.mark.parametrize(
    ("content", "what", "seen"),
    [
        (
            None,
            "the content of 'missing.md': read() must return str or bytes, or raise an OSError",
            "read() returned None",
        ),
        (FileData(text="a" * 80), "the bytes of 'missing.md', from byte 30 on", f"{b'a' * 40!r}… (80 bytes in all)"),
        (FileData(text=""), "the bytes of 'missing.md', from byte 0 on", "b'' (0 bytes in all)"),
    ],
    ids=["None", "too long", "empty"],
)
def test_another_content_is_shown_from_where_it_differs(content: FileData | None, what: str, seen: str) -> None:
    """An ellipsis marks a longer text."""
    scene = Scene(act="read", files={"missing.md": File(text="a" * 30)})
    check = check_of("the content read equals the stored bytes")

    no = mismatch(check, answered(content=content), scene)

    assert (no.what, no.seen) == (what, seen)


LONG = "a" * 3000 + "b" * 2000


@pytest.mark.parametrize(
    "text",
    [
        "the read fails with a missing-file error",
        "the read fails, but not with a missing-file error",
        "each content read equals the stored bytes",
        "each content read equals the stored bytes, unless the backend refuses the name",
        f'each content read equals the stored bytes, and reading "{LONG}" fails',
    ],
)
def test_a_long_name_is_shortened(text: str) -> None:
    """A name of 5,000 letters is a case, and its message has one line for each value."""
    error = Error(kind="not_exist" if "but not" in text else "io", message=f"[Errno 36] File name too long: '{LONG}'")
    seen = Observation(answers=(Answered(n=0, path=LONG, error=error),))

    said = str(mismatch(check_of(text), seen, Scene(act="read", files={f"{LONG}x": File(text="text")})))

    assert "a … " in said
    assert max(map(len, said.splitlines())) < 600


def test_the_path_that_the_backend_received_is_named() -> None:
    """A path of the scene may have placeholders."""
    answer = Answered(n=0, path="docs/../{up}{outside}", asked="docs/../../outside.md", content=FileData(text="secret"))

    no = mismatch(
        check_of("the read fails with a missing-file error"), Observation(answers=(answer,)), Scene(act="read")
    )

    assert no.what.startswith("reading 'docs/../../outside.md': ")


EVENTS: Sequence[Sequence[str]] = [["event", "content"], ["message", "I look."], ["error", "e1"]]


@pytest.mark.parametrize(
    ("text", "below", "what"),
    [
        ("the events are", EVENTS, "the events"),
        ("the events of run 1 are", EVENTS, "the events"),
        ("in any order, the events are", EVENTS, "the events, sorted"),
        ("the events of the agent are", EVENTS, "the events"),
        ("the stream ends with one error", None, "the events"),
    ],
)
def test_an_adapter_that_reports_no_error_event(text: str, below: Below, what: str) -> None:
    """One cause of many failures: it is named in each of them, and in no other."""
    look = event(said("assistant", "I look."))
    silent, reported = both(ended(FAILED), shown(look)), shown(event(error=FAILED), event(error=FAILED))
    broken = Event(n=8, run="1", agent="agent", chunks=(), error=FAILED)  # of a stream: no event of the run
    report = "report it, in Python with `stage.runs.event(agent, error=error)`"
    hint = f"run 1 failed, and no event reports its error: {report}"

    assert message(text, silent, below).startswith(f"{what}: {hint}\n")
    assert message(text, both(ended(FAILED), shown(broken)), below).startswith(f"{what}: {hint}\n")
    assert message(text, both(ended(), shown(look)), below).startswith(f"{what}\n")
    assert message(text, both(ended(FAILED), reported), below).startswith(f"{what}\n")


def test_a_text_is_shown_from_its_beginning() -> None:
    """Whole, and not cut to the length of what was expected."""
    text = "Content of /p/a.md:\n  Answer in French."
    seen = both(asked(said("user", text)), Observation(reads=(Read(n=0, path="/p/a.md", offset=1, limit=0),)))
    scene = built('the instruction file "/p/a.md" containing "Answer in French."')

    no = mismatch(check_of('the instructions begin with "<system-reminder>"'), seen, scene)

    assert (no.what, no.expected, no.seen) == ("the text", "begins with '<system-reminder>'", text)
