"""Lawful implementations of the plugin layer that differ from the reference pass every normative rule."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from loopspec.contract.observation import Observation
from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE
from loopspec_mutants import MUTANTS
from loopspec_reference import Json, ToolContext, ToolRequest, plugins
from loopspec_reference.plugins import Command, Middleware, PluginError, todo_list
from loopspec_reference.plugins.graph import Edge, Workflow, get_agent_middlewares
from loopspec_reference.plugins.registry import MiddlewareContext, Registry

from .judging import Variant, must_be_lawful


@contextmanager
def keeps_the_list_as_lines() -> Iterator[None]:
    """Keeps the to-do list as lines of text, in a field with another name."""
    state = msgspec.defstruct("Plan", [("plan", list[str], msgspec.field(default_factory=list))], frozen=True)
    invoke = todo_list.WriteTodos.invoke

    async def invokes(self: todo_list.WriteTodos, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        answer = await invoke(self, context, request)
        if not isinstance(answer, Command):
            return answer
        lines = [f"{item['content']} ({item['status']})" for item in answer.update["todos"]]
        return replace(answer, update={"plan": lines})

    with patch.object(todo_list, "TodoState", state), patch.object(todo_list.WriteTodos, "invoke", invokes):
        yield


def skips_nodes_whose_factory_fails() -> AbstractContextManager[object]:
    """Skips a node whose factory fails, and logs a warning, as for a node with an unknown provider."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        made: list[Middleware] = []
        for node in workflow.attached(agent_key):
            alone = Workflow(workflow.nodes, [Edge(agent_key, node.key)])
            try:
                made += await get_agent_middlewares(alone, agent_key, known, context)
            except PluginError:
                raise
            except Exception as error:  # raised by the factory
                logging.getLogger("loopspec_reference.plugins").warning("%r is left out: %s", node.key, error)
        return made

    return patch.object(plugins, "get_agent_middlewares", makes)


def _calls(seen: Observation) -> list[str]:
    return [call.model for call in seen.model_calls]


def _states(seen: Observation) -> list[Mapping[str, Json]]:
    return [run.state for run in seen.runs]


VARIANTS = [
    Variant(
        MUTANTS["falls-back-to-a-fixed-limit"].bug,
        "XP-SUM-14 XP-SUM-24",
        "XP-SUM-24 :: Twelve words, a model without a profile and 10 tokens next to the fraction",
        _calls,
    ),
    Variant(
        MUTANTS["uses-the-smaller-limit"].bug,
        "XP-BEST-07",
        "XP-BEST-07 :: Twelve words, half of 40 tokens and 5 tokens next to the fraction",
        _calls,
    ),
    Variant(keeps_the_list_as_lines, "XP-TODO-04", "XP-TODO-04 :: A list with two items in any form", _states),
    Variant(
        MUTANTS["records-the-number-of-messages"].bug,
        "XP-SUM-15",
        "XP-SUM-15 :: One summary",
        lambda seen: [entry.output for entry in seen.executions],
    ),
    Variant(skips_nodes_whose_factory_fails, "XP-META-05", "XP-META-05 :: A required option is missing", _calls),
    Variant(
        MUTANTS["keeps-messages-of-model-wrappers"].bug,
        "XP-WRAP-06",
        "XP-WRAP-21 :: An additional user message in the first of two model calls",
        lambda seen: [len(call.messages) for call in seen.model_calls],
    ),
    Variant(
        MUTANTS["resets-states-when-a-run-begins"].bug, "XP-STATE-01", "XP-STATE-11 :: Two runs of one thread", _states
    ),
    Variant(
        MUTANTS["shares-states-among-threads"].bug,
        "XP-STATE-01",
        "XP-STATE-12 :: Two runs of different threads",
        _states,
    ),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.patch.__name__)
def test_a_variant_is_lawful(variant: Variant) -> None:
    """The cases are those of the plugin layer."""
    layer = ("XP-", "PLUGIN-", "HANDLER-")

    must_be_lawful(variant, [one for one in compiled() if one.rule.basis in NORMATIVE and one.id.startswith(layer)])
