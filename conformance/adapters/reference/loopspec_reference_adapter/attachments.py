"""The middlewares of a scene's agents: attached directly, or by a workflow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from inspect import isawaitable

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec.contract import agents as spec
from loopspec.contract.stage import Stage
from loopspec_reference import plugins as ref_plugins
from loopspec_reference.plugins import summarization, todo_list

from .scripted import ModelNamed, ScriptedMiddleware
from .strategies import modules_of
from .wire import MESSAGE_TYPES, to_wire


class Attachments:
    """The middlewares of the plugin layer that the agents of a scene have."""

    def __init__(self, stage: Stage, model_of: Callable[[spec.Model | None], ref.Model[ref.AnyMessage] | None]) -> None:
        self._stage = stage
        self._model_of = model_of
        self._type = MESSAGE_TYPES[stage.scene.message_type]
        self._by_hand: dict[tuple[str, str], ref_plugins.Middleware] = {}
        self._by_workflow: dict[str, list[ref_plugins.Middleware]] = {}
        flow = stage.scene.workflow
        # Copies, because a factory may change its options: the scene must stay what it is.
        self._options = [deepcopy(node.options) for node in flow.nodes] if flow else []

    async def attach(self, agent: spec.Agent) -> None:
        """Make the middlewares of an agent and of its sub-agents.

        Raises `PluginError`, and the exceptions of factories.
        """
        for handler in agent.handlers:
            if isinstance(handler, spec.Plugin | spec.Summarization | spec.TodoList):
                self._by_hand[agent.name, handler.name] = await self._made(handler, agent)
        if self._stage.scene.workflow:
            self._by_workflow[agent.name] = await self._from_workflow(agent)
        for tool in agent.tools:
            if tool.agent:
                await self.attach(tool.agent)

    async def _from_workflow(self, agent: spec.Agent) -> list[ref_plugins.Middleware]:
        flow = self._stage.scene.workflow
        assert flow is not None, "only called for a scene with a workflow"
        registry = ref_plugins.Registry()
        for module in modules_of(self._stage, lambda plugin: self._scripted(plugin, agent)):
            registry.load(module)
        workflow = ref_plugins.Workflow(
            [
                ref_plugins.Node(node.key, node.kind, node.provider, options)
                for node, options in zip(flow.nodes, self._options, strict=True)
            ],
            [ref_plugins.Edge(edge.source, edge.target) for edge in flow.edges],
        )
        return await ref_plugins.get_agent_middlewares(workflow, agent.name, registry, self._context(agent))

    def _scripted(self, plugin: spec.Plugin, agent: spec.Agent) -> ref_plugins.Middleware:
        return ScriptedMiddleware(plugin, self._stage, self._type, self._named(agent)).built()

    def _named(self, agent: spec.Agent) -> ModelNamed:
        models = {model.name: model for model in agent.additional_models}

        def named(name: str) -> ref.Model[ref.AnyMessage]:
            model = self._model_of(models[name])
            assert model is not None, "a scene names its additional models"
            return model

        return named

    async def _made(
        self, handler: spec.Plugin | spec.Summarization | spec.TodoList, agent: spec.Agent
    ) -> ref_plugins.Middleware:
        if isinstance(handler, spec.Plugin):
            return self._scripted(handler, agent)
        strategy: ref_plugins.Strategy
        if isinstance(handler, spec.Summarization):
            strategy = summarization.SummarizationStrategy()
            options = {
                "trigger": handler.trigger,
                "keep": handler.keep,
                "prefix": handler.prefix,
                "model": handler.model.name if handler.model else None,
            }
        else:
            strategy = todo_list.TodoListStrategy()
            options = {"prompt": handler.prompt, "description": handler.description}
        set_options = {name: value for name, value in options.items() if value is not None}
        made = strategy.create_middleware(set_options, self._context(agent, handler))
        return await made if isawaitable(made) else made

    def _context(self, agent: spec.Agent, handler: spec.Handler | None = None) -> ref_plugins.MiddlewareContext:
        own = handler.model if isinstance(handler, spec.Summarization) else None
        others = [*agent.additional_models, *([own] if own else [])]
        context = ref_plugins.MiddlewareContext(
            agent=agent.name,
            node=handler.name if handler else "",
            model=self._model_of(agent.model),
            models={model.name: built for model in others if (built := self._model_of(model))},
            trace=_Trace(self._stage) if self._stage.scene.traces else None,
        )
        if isinstance(handler, spec.Summarization) and not handler.counts:
            return context
        return replace(context, count_tokens=self._count_tokens)

    def _count_tokens(self, messages: Sequence[ref.AnyMessage]) -> int:
        return self._stage.doubles.count_tokens([to_wire(one) for one in messages])

    def handlers(
        self, agent: spec.Agent, other: Callable[[spec.Handler], ref.Handler[ref.AnyMessage]]
    ) -> list[ref.Handler[ref.AnyMessage]]:
        """Return the agent's handlers; adjacent middlewares become one handler."""
        found: list[ref.Handler[ref.AnyMessage]] = []
        together: list[ref_plugins.Middleware] = list(self._by_workflow.get(agent.name, ()))
        for handler in agent.handlers:
            if (agent.name, handler.name) in self._by_hand:
                together.append(self._by_hand[agent.name, handler.name])
                continue
            found += self._stacked(together)
            together = []
            found.append(other(handler))
        return [*found, *self._stacked(together)]

    @staticmethod
    def _stacked(middlewares: Sequence[ref_plugins.Middleware]) -> list[ref.Handler[ref.AnyMessage]]:
        return [ref_plugins.Stack(middlewares)] if middlewares else []


class _Trace:
    """Reports the work of middlewares to the harness."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def executed(self, execution: ref_plugins.Execution) -> None:
        inputs = [to_wire(message) for message in execution.inputs]
        self._stage.doubles.executed(execution.node, inputs, execution.output, execution.error)
