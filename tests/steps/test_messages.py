"""What a Then says when it fails: the thing, what was expected and seen, and how to mend it where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Answered, Content, Event, Load, Observation, Read, Span
from loopspec.contract.scene import File, Scene
from loopspec.contract.values import Error
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


def answered(error: Error | None = None, content: Content | None = None) -> Observation:
    """What a backend answered."""
    return Observation(answers=(Answered(n=0, path="missing.md", error=error, content=content),))


def test_a_final_answer_that_is_missing_names_the_error() -> None:
    """And the answer only where the run has one."""
    failed, other = both(ended(LOOKUP), shown(event(said("assistant", "Well.")))), ended()

    assert message('the final answer is "I look."', failed) == (
        "how run 1 ends\n"
        "  expected: without an error, and not interrupted\n"
        "  seen:     it fails: LookupError: no such tool"
    )
    assert message('the final answer is "I look."', other) == (
        "the final answer\n  expected: I look.\n  seen:     nothing"
    )
    assert message('the final answer is "I look."', ended(interrupted=True)).endswith("seen:     it is interrupted")


RAISE = "in Python, raise FileNotFoundError for a missing file"


@pytest.mark.parametrize(
    ("error", "content", "hint", "seen"),
    [
        (
            KEY_ERROR,
            None,
            f"KeyError: 'missing.md' was raised; {RAISE}",
            "KeyError: 'missing.md' (an error of no known kind)",
        ),
        (Error(kind="permission", message="no"), None, RAISE, "the error permission (no)"),
        (None, None, RAISE, "read() returned None"),
        (
            None,
            Content(text="x" * 50),
            RAISE,
            f"no error, but the content {'x' * 40 + '…'!r}",
        ),
    ],
    ids=["an exception of no kind", "another kind", "None", "a content"],
)
def test_a_missing_file_of_a_backend(error: Error | None, content: Content | None, hint: str, seen: str) -> None:
    """What the backend did instead, and what it should have done."""
    text = message("the read fails with a missing-file error", answered(error, content))

    assert text == f"reading 'missing.md': {hint}\n  expected: a missing-file error\n  seen:     {seen}"


@pytest.mark.parametrize(
    ("content", "what", "seen"),
    [
        (
            None,
            "the content of 'missing.md': read() must return str or bytes, or raise an OSError",
            "read() returned None",
        ),
        (Content(text="a" * 80), "the bytes of 'missing.md', from byte 30 on", f"{b'a' * 40!r}… (80 bytes in all)"),
        (Content(text=""), "the bytes of 'missing.md', from byte 0 on", "b'' (0 bytes in all)"),
    ],
    ids=["None", "too long", "empty"],
)
def test_another_content_is_shown_from_where_it_differs(content: Content | None, what: str, seen: str) -> None:
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
    answer = Answered(n=0, path="docs/../{up}{outside}", asked="docs/../../outside.md", content=Content(text="secret"))

    no = mismatch(
        check_of("the read fails with a missing-file error"), Observation(answers=(answer,)), Scene(act="read")
    )

    assert no.what.startswith("reading 'docs/../../outside.md': ")


def loaded(error: Error | None = None) -> Observation:
    """A load."""
    return Observation(loads=(Load(n=0, error=error),))


def test_an_error_that_did_not_come_through() -> None:
    """Of the harness's own files, or of a double: the implementation has made another one of it."""
    through = "let the error that was raised through, or raise your own `from` it"

    assert message("loading fails with a permission error", loaded(KEY_ERROR)) == (
        f"the kind of the error: {through}\n"
        "  expected: permission\n"
        "  seen:     KeyError: 'missing.md' (an error of no known kind)"
    )
    known = message("loading fails with a permission error", loaded(Error(kind="io")))
    assert known.startswith("the kind of the error\n")
    assert message('the run fails with the error "boom"', ended(LOOKUP)) == (
        f"the error of run 1: {through}\n"
        "  expected: the error boom\n"
        "  seen:     LookupError: no such tool (an error of no known kind)"
    )


def test_an_exception_of_the_implementations_own() -> None:
    """It needs a kind, which `error_kinds` gives it."""
    reason = "the run fails because a tool is unknown"

    assert message(reason, ended(LOOKUP)) == (
        "the kind of the error of run 1: in Python, name the kind of your exception: "
        "`error_kinds = {YourError: 'unknown_tool'}`\n"
        "  expected: unknown_tool\n"
        "  seen:     LookupError: no such tool (an error of no known kind)"
    )
    assert message(reason, ended()) == (
        "the kind of the error of run 1\n  expected: unknown_tool\n  seen:     it ends without an error"
    )


def test_an_error_that_a_run_has_swallowed() -> None:
    """A double has raised it, and the run ends as if nothing had been."""
    raised = Observation(spans=(Span(n=1, name="tool t", agent="agent", run="1", ended=2, error=FAILED),))

    assert message("the run fails", both(raised, ended())) == (
        "how run 1 ends: if e1 made the run fail, let e1 leave the method `run` of an adapter on the toolkit; in "
        "another adapter, let e1 leave `with stage.runs.running(run):`\n"
        "  expected: in an error\n"
        "  seen:     it ends without an error"
    )
    assert message("the run fails", ended()).startswith("how run 1 ends\n")


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
    scene = built('the instructions file "/p/a.md" containing "Answer in French."')

    no = mismatch(check_of('the instructions begin with "<system-reminder>"'), seen, scene)

    assert (no.what, no.expected, no.seen) == ("the text", "begins with '<system-reminder>'", text)


def test_several_values_are_named_one_by_one() -> None:
    """A pair is never shown as a pair."""
    table = [["contributed", "waiting returns"], ["yes", "cancelled"]]

    assert message("the cancel requests return", Observation(), table) == (
        "the requests to cancel\n  expected: contributed: yes, waiting returns: cancelled\n  seen:     nothing"
    )
    assert message('before model, "H" finds the JSON value 1 under "k"', hooked(found={"k": 2, "l": None})) == (
        "the values found\n  expected: k: 1\n  seen:     \n    k: 2\n    l: null"
    )
