"""A small agent loop as an adapter, and adapters that report its results in other ways."""

from __future__ import annotations

from typing import ClassVar, NoReturn

from loopspec import AgentStart, Message, ModelRequest, Run, ScriptedError, Stage, State, ToolAnswer, ToolRequest
from loopspec.contract.doubles import NoInside
from loopspec.contract.values import ErrorKind


class Wrapped(Exception):
    """An exception of the implementation."""


class SmallLoop:
    """Calls the model and the tools in turn, with the hooks before the agent and before the model."""

    name, version = "small loop", "1"
    roles = ("agent",)
    error_kinds: ClassVar[dict[type[BaseException], ErrorKind]] = {}

    reports_errors = raises_errors = True

    async def perform(self, stage: Stage) -> None:
        """Perform the runs of the scene."""
        async for group in stage.runs.concurrent_runs():
            for run in group:
                self.before(stage)
                with stage.runs.running(run):
                    try:
                        await self.run(stage, stage.runs.messages(run), run)
                    except Exception as error:
                        if self.reports_errors:
                            stage.runs.event(stage.scene.agent.name, error=error)
                        if self.raises_errors:
                            raise

    def before(self, stage: Stage) -> None:
        """Report nothing before a run."""

    async def run(self, stage: Stage, messages: list[Message], run: Run) -> None:
        """Run the agent."""
        agent = stage.scene.agent
        for handler in agent.handlers:
            await stage.doubles.before_agent(handler.name, self.start(), NoInside())
        while True:
            for handler in agent.handlers:
                await stage.doubles.edit("before model", handler.name, self.state(messages), NoInside())
            answer = await self.model(stage, messages)
            messages.append(answer)
            stage.runs.event(agent.name, answer)
            for call in answer.tool_calls:
                request = ToolRequest(tool=call.name, call_id=call.id, args=call.args)
                result = await self.tool(stage, request)
                assert result is not None
                messages.append(Message(role="tool", content=result.text, tool_call_id=call.id, tool_name=call.name))
                stage.runs.event(agent.name, messages[-1])
            if not answer.tool_calls:
                self.end(stage, answer)
                return

    def end(self, stage: Stage, answer: Message) -> None:
        """Report the end of a run."""

    def start(self) -> AgentStart:
        """The start that the hooks receive."""
        return AgentStart()

    def state(self, messages: list[Message]) -> State:
        """The state that the hooks receive."""
        return State(messages=tuple(messages))

    async def tool(self, stage: Stage, request: ToolRequest) -> ToolAnswer | None:
        """Call a tool."""
        return await stage.doubles.invoke(request, NoInside())

    async def model(self, stage: Stage, messages: list[Message]) -> Message:
        """Call the model."""
        model = stage.scene.agent.model
        assert model is not None
        answer = await stage.doubles.generate(model.name, ModelRequest(messages=tuple(messages)))
        assert answer is not None
        return answer


class DeclaresTheStart(SmallLoop):
    """Declares that it reports what it does not report."""

    capabilities = (
        "after-model-hooks",
        "before-agent-edits",
        "before-agent-hooks",
        "before-model-hooks",
        "reports-instruction",
        "reports-recovery",
        "reports-return-directly",
        "reports-tools",
        "retry",
        "return-directly",
        "several-handlers",
    )


class Wrapping(SmallLoop):
    """Raises an exception of its own from the error of the model, as its cause."""

    error_kinds: ClassVar[dict[type[BaseException], ErrorKind]] = {Wrapped: "invalid_config"}

    async def model(self, stage: Stage, messages: list[Message]) -> Message:
        """Call the model."""
        try:
            return await super().model(stage, messages)
        except ScriptedError as error:
            self.fail(error)

    def fail(self, error: ScriptedError) -> NoReturn:
        """Raise the exception."""
        raise Wrapped("wrapped") from error


class InGroup(Wrapping):
    """Raises an exception group with the error of the model, as a task group does."""

    def fail(self, error: ScriptedError) -> NoReturn:
        """Raise the exception."""
        raise Wrapped("wrapped") from ExceptionGroup("several", [ValueError("first"), error])


class InContext(Wrapping):
    """Raises an exception of its own while it handles the error of the model."""

    def fail(self, error: ScriptedError) -> NoReturn:
        """Raise the exception."""
        raise Wrapped("wrapped")


class Cut(Wrapping):
    """Cuts the cause of its exception."""

    error_kinds: ClassVar[dict[type[BaseException], ErrorKind]] = {}

    def fail(self, error: ScriptedError) -> NoReturn:
        """Raise the exception."""
        raise Wrapped("wrapped") from None


class Lost(SmallLoop):
    """Raises an exception of its own that has lost the error of the model."""

    async def model(self, stage: Stage, messages: list[Message]) -> Message:
        """Call the model."""
        try:
            return await super().model(stage, messages)
        except ScriptedError:
            failed = True
        assert failed
        raise Wrapped("wrapped")


class Handled(Cut):
    """Handles the error of the model: calls the model again, and fails for another reason in the same handler."""

    async def model(self, stage: Stage, messages: list[Message]) -> Message:
        """Call the model."""
        try:
            return await SmallLoop.model(self, stage, messages)
        except ScriptedError:
            await SmallLoop.model(self, stage, messages)
            raise Wrapped("wrapped") from None


class ReportsTheAnswer(SmallLoop):
    """Reports the final answer that it returns."""

    def end(self, stage: Stage, answer: Message) -> None:
        """Report the answer."""
        stage.runs.final(answer)


class ReportsAnother(SmallLoop):
    """Reports another final answer than its last event."""

    def end(self, stage: Stage, answer: Message) -> None:
        """Report the answer."""
        stage.runs.final("another answer")


class ReportsTooEarly(SmallLoop):
    """Reports a final answer before the run."""

    def before(self, stage: Stage) -> None:
        """Report the answer."""
        stage.runs.final("too early")


class AsksForAnUnknown(SmallLoop):
    """Asks for a double that the scene does not have, and handles the error as a failure of the implementation."""

    kind = ""

    async def model(self, stage: Stage, messages: list[Message]) -> Message:
        """Ask, and call the model."""
        try:
            await self.ask(stage)
        except Exception as error:
            messages.append(Message(role="user", content=str(error)))
        return await super().model(stage, messages)

    async def ask(self, stage: Stage) -> None:
        """Ask for the double."""
        doubles = stage.doubles
        match self.kind:
            case "info":
                doubles.info("ghost")
            case "invoke":
                await doubles.invoke(ToolRequest(tool="ghost"), NoInside())
            case "generate":
                await doubles.generate("ghost", ModelRequest())
            case "hook":
                await doubles.edit("before model", "ghost", State(), NoInside())


class AsksForInfo(AsksForAnUnknown):
    """Asks for the information about a tool."""

    kind = "info"


class Invokes(AsksForAnUnknown):
    """Calls a tool."""

    kind = "invoke"


class Generates(AsksForAnUnknown):
    """Calls a model."""

    kind = "generate"


class Hooks(AsksForAnUnknown):
    """Calls a hook."""

    kind = "hook"


class NamesTools(SmallLoop):
    """Passes the information about the tools that a handler names to the model."""

    async def model(self, stage: Stage, messages: list[Message]) -> Message:
        """Call the model."""
        model = stage.scene.agent.model
        assert model is not None
        started = await stage.doubles.before_agent("H", AgentStart(tools=()), NoInside())
        assert started is not None
        request = ModelRequest(messages=tuple(messages), tools=tuple(map(stage.doubles.info, started.tools or ())))
        answer = await stage.doubles.generate(model.name, request)
        assert answer is not None
        return answer


class OnlyReportsErrors(SmallLoop):
    """Reports the error of a run as an event, and does not raise it."""

    raises_errors = False


class OnlyRaises(SmallLoop):
    """Raises the error of a run, and reports no event."""

    reports_errors = False


class Continues(OnlyReportsErrors):
    """Reports an error as an event, and continues."""

    async def model(self, stage: Stage, messages: list[Message]) -> Message:
        """Call the model."""
        try:
            return await super().model(stage, messages)
        except ScriptedError as error:
            stage.runs.event(stage.scene.agent.name, error=error)
            return await super().model(stage, messages)
