"""The picture of the insertion: conversations before and after, as a run of the reference has them."""

from __future__ import annotations

from contextlib import closing

from msgspec import Struct

from loopspec.contract.agents import Agent, AgentsMD, Config
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import MARKER, Message
from loopspec.engine.perform import perform
from loopspec.targets.resolve import resolve

from .canvas import LINE, Canvas
from .figure import Cell, Claim, Figure, Table

_FILE = "agents.md"


class Conversation(Struct, frozen=True):
    """A conversation that a run starts with, and the title of the drawing of it."""

    title: str
    messages: tuple[Message, ...]


CONVERSATIONS = (
    Conversation(
        "With user messages",
        (
            Message(role="system", content="You help Ada."),
            Message(role="assistant", content="How can I help?"),
            Message(role="user", content="What is 2 + 2?"),
            Message(role="assistant", content="4"),
            Message(role="user", content="And times 3?"),
        ),
    ),
    Conversation(
        "Without a user message",
        (
            Message(role="system", content="You help Ada."),
            Message(role="assistant", content="How can I help?"),
        ),
    ),
)
_CLAIMS = (
    Claim(
        "Before the first user message",
        "The instructions directly precede the first user message, also in a long conversation.",
        ("AMD-INJECT-01", "AMD-INJECT-04", "AMD-INJECT-14"),
    ),
    Claim(
        "Last", "In a conversation without a user message, the instructions are the last message.", ("AMD-INJECT-03",)
    ),
    Claim(
        "A user message",
        "The instructions have the user role and a marker in their extra data. All files share one message.",
        ("AMD-INJECT-02", "AMD-INJECT-05", "AMD-INJECT-12"),
    ),
    Claim(
        "Everything else",
        "The messages of the caller reach the model unchanged and in order.",
        ("AMD-INJECT-06",),
    ),
    Claim(
        "The state of the run",
        "The instructions are inserted into the state before the model call, so later model calls receive them too.",
        ("AMD-INJECT-13", "AMD-INJECT-15"),
    ),
)
_SUMMARY = (
    "Two conversations, before and after the AgentsMD middleware inserts the instructions. The instructions precede "
    "the first user message, or come last if there is none. All other messages stay as they are."
)


def received(conversation: Conversation) -> tuple[Message, ...]:
    """Run the reference with an instruction file, and return the messages that its model receives."""
    scene = Scene(
        act="run",
        files={_FILE: File(text="Answer in French.")},
        agent=Agent(handlers=(AgentsMD(config=Config(files=(_FILE,))),)),
        runs=(Run(id="run 1", messages=conversation.messages),),
    )
    with closing(resolve("reference")) as reference:
        (call,) = perform(reference, scene, "agent").model_calls
    return call.messages


def figure() -> Figure:
    """Draw the conversations, with and without the instructions."""
    after = [received(conversation) for conversation in CONVERSATIONS]
    rows = tuple(
        (
            Cell(f"{conversation.title}, message {number}"),
            Cell(_said(conversation.messages[number - 1]) if number <= len(conversation.messages) else "–"),
            Cell(_said(message)),
        )
        for conversation, messages in zip(CONVERSATIONS, after, strict=True)
        for number, message in enumerate(messages, 1)
    )
    return Figure(
        name="insertion",
        title="The conversation before and after the insertion",
        summary=_SUMMARY,
        areas=("AMD-INJECT",),
        claims=_CLAIMS,
        canvas=_drawing(after),
        table=Table(("Message", "Before", "After"), rows),
    )


def _said(message: Message) -> str:
    return f"{message.role}: {_content(message)}"


def _content(message: Message) -> str:
    return "the instructions" if MARKER in message.extra else message.content


_BUBBLE, _STEP = 46, 56
_HEADS = 52  # the title and the heads of the columns
_COLUMNS = (1, 187)
_WIDE = 152


def _drawing(after: list[tuple[Message, ...]]) -> Canvas:
    canvas = Canvas(sum(_HEADS + len(messages) * _STEP + 12 for messages in after) - 12)
    y: float = 0
    for number, (conversation, messages) in enumerate(zip(CONVERSATIONS, after, strict=True), 1):
        canvas.words(0, y + 12, conversation.title, "strong")
        for x, head in zip(_COLUMNS, ("before", "after"), strict=True):
            canvas.words(x, y + 36, head, "quiet")
        _columns(canvas, conversation.messages, messages, y + _HEADS, str(number))
        y += _HEADS + len(messages) * _STEP + 12
    return canvas


def _columns(canvas: Canvas, before: tuple[Message, ...], after: tuple[Message, ...], y: float, mark: str) -> None:
    at = 0
    for place, message in enumerate(after):
        top = y + place * _STEP
        if MARKER in message.extra:
            _bubble(canvas, _COLUMNS[1], top, message, "inserted")
            canvas.mark(_COLUMNS[1] + _WIDE - 14, top + 14, mark)
            continue
        _bubble(canvas, _COLUMNS[1], top, message)
        start = y + at * _STEP
        _bubble(canvas, _COLUMNS[0], start, before[at])
        canvas.arrow((_COLUMNS[0] + _WIDE, start + _BUBBLE / 2), (_COLUMNS[1], top + _BUBBLE / 2))
        at += 1


def _bubble(canvas: Canvas, x: float, y: float, message: Message, kind: str = "step") -> None:
    canvas.box(x, y, _WIDE, _BUBBLE, kind)
    canvas.words(x + 10, y + 14, message.role, "quiet")
    canvas.words(x + 10, y + 14 + LINE, _content(message), "strong" if kind == "inserted" else "")
