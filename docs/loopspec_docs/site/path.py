"""The reading path: ten pages of the site, in order, for a reader who has never built an agent."""

from __future__ import annotations

from msgspec import Struct


class Step(Struct, frozen=True):
    """A page of the path. `learn` says in a sentence what a reader learns there; reading takes about `minutes`."""

    address: str
    title: str
    learn: str
    minutes: int


PATH = (
    Step(
        "examples/loop.html",
        "The loop",
        "A complete agent in thirty lines: a model calls a tool, receives the result, and answers.",
        5,
    ),
    Step("words.html", "Words", "What agent, run, handler, hook and event mean on every other page.", 5),
    Step(
        "rules/LOOP.html",
        "The loop of an agent",
        "What a rule and its examples look like, and what every agent loop must do.",
        25,
    ),
    Step(
        "examples/tool.html",
        "A tool of your own",
        "How a tool describes its arguments, and how a model corrects a call.",
        5,
    ),
    Step(
        "pictures.html",
        "Pictures",
        "Where a run calls hooks and wrappers and emits events, and how long each change lasts.",
        15,
    ),
    Step("examples/handler.html", "A handler", "How a handler changes what the model and a tool receive.", 10),
    Step(
        "rules/ORDER-MODEL.html",
        "The order of a model call",
        "Why retries repeat wrappers but not hooks, and which answer an event shows.",
        10,
    ),
    Step(
        "examples/interrupt.html",
        "An interrupt",
        "How a run stops for a question and continues in another process.",
        10,
    ),
    Step(
        "examples/agentsmd.html",
        "AgentsMD",
        "How instructions files and their imports become one message of the conversation.",
        10,
    ),
    Step(
        "reference.html",
        "Read the reference",
        "How a typed implementation satisfies every rule, module by module.",
        40,
    ),
)


def place(address: str) -> tuple[int, Step | None] | None:
    """Return the number of a page in the path, from 1 on, and the next step, if any; None for a page outside it."""
    for number, step in enumerate(PATH, 1):
        if step.address == address:
            return number, PATH[number] if number < len(PATH) else None
    return None
