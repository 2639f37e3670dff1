"""Files, configuration and conversation of a scene as Given steps."""

from __future__ import annotations

from collections.abc import Iterator

from loopspec.contract.actions import AddContext, DropInstructions, Insert, Summarize
from loopspec.contract.agents import Agent, AgentsMD, Config, Handler, Script, Scripted, Tool
from loopspec.contract.scene import Change, Fault, File, Scene
from loopspec.contract.values import Began, Message

from ..builders.agent import EVERY_HOOK
from ..builders.scene import HELLO
from ..faults import FAULTS
from ..given.files import CONTENT, FILE
from ..given.held_calls import givens_of
from ..hooks import SIDES, name_of_neighbor
from .clauses import moment_text
from .messages import conversation_table
from .steps import NotWritable, WrittenStep
from .texts import as_content, names_text, plain, quoted, times


def world_steps(scene: Scene) -> Iterator[WrittenStep]:
    """The Givens of files, languages, configuration and conversation."""
    yield from _language_steps(scene)
    yield from _file_steps(scene)
    if scene.instructions is not None:
        yield from _configuration_steps(scene.instructions)
    else:
        yield _given("no configuration")
    for at, change in enumerate(scene.changes):
        yield _change_step(change, f"changes[{at}]")
    yield from _conversation_steps(scene)
    if scene.reads_log:
        yield _given("the log is captured")
    if scene.one_list:
        yield _given("the caller passes the same list of messages to each run")
    if scene.shared_lists:
        yield _given("the caller passes the same lists of handlers and tools to all agents")
    if scene.listens:
        yield _given("a listener reads the events")
    for text in givens_of(scene.held):
        yield _given(text.removeprefix("And "))


def _given(text: str) -> WrittenStep:
    return WrittenStep("given", text)


def _language_steps(scene: Scene) -> Iterator[WrittenStep]:
    for at, language in enumerate(scene.languages):
        name = quoted(language, f"languages[{at}]")
        yield _given(f'the language is then changed to "{name}"' if at else f'the language is "{name}"')


def _file_steps(scene: Scene) -> Iterator[WrittenStep]:
    rows = []
    details: list[WrittenStep] = []
    for path, file in scene.files.items():
        field = f"files[{path!r}]"
        if file.repeat != 1:
            raise NotWritable(f"{field}.repeat", "a repeated content is not written")
        if file.text is not None or file.base64 is not None:
            rows.append((plain(path, field), as_content(file.content)))
        details += _detail_steps(path, file, field)
    if rows:
        yield WrittenStep("given", "the files", ((FILE.name, CONTENT.name), *rows))
    yield from details


def _detail_steps(path: str, file: File, field: str) -> Iterator[WrittenStep]:
    """How reading a file goes wrong, or waits."""
    if file.fault:
        yield _given(f'reading "{quoted(path, field)}" fails with {_fault(file.fault, f"{field}.fault")}')
    if file.nothing:
        yield _given(f'reading "{quoted(path, field)}" returns no content object')
    if file.held:
        if not isinstance(file.held, Began):
            raise NotWritable(f"{field}.held", "a read waits for the start of a run only")
        yield _given(f'reading "{quoted(path, field)}" waits until run {file.held.run} starts')


def _fault(fault: Fault, field: str) -> str:
    if all(word.value != fault for word in FAULTS.words):
        raise NotWritable(field, f"no phrase says {fault!r}")
    return FAULTS.text_of(fault)


def _configuration_steps(config: Config) -> Iterator[WrittenStep]:
    if config.files is None:
        yield _given("no list of files")
    elif config.files:
        yield _given(f"the configured files {names_text(config.files, 'instructions.files')}")
    if not config.backend:
        yield _given("no backend")
    if not config.callback:
        yield _given("no warning callback")
    if config.max_bytes is not None:
        yield _given(f"a byte limit of {config.max_bytes}")


def _change_step(change: Change, field: str) -> WrittenStep:
    moment = moment_text(change.at, f"{field}.at")
    if change.language is not None:
        return _given(f'the language is "{quoted(change.language, field)}" from {moment} on')
    if change.path is None or change.file is None:
        raise NotWritable(field, "no phrase deletes a file")
    path = quoted(change.path, f"{field}.path")
    if change.file.nothing or change.file.fault or change.file.repeat != 1:
        raise NotWritable(f"{field}.file", "a file changes to a content only")
    return _given(f'"{path}" contains "{as_content(change.file.content)}" from {moment} on')


def _conversation_steps(scene: Scene) -> Iterator[WrittenStep]:
    if scene.message_type != "message":
        yield _given("the messages are agentic")
    if scene.messages == ():
        yield _given("an empty conversation")
    elif scene.messages != (HELLO,):
        yield WrittenStep("given", "the conversation", conversation_table(scene.messages, "messages"))


# -- an agent that has the AgentsMD middleware, without a script of its own --------------------------------------------


def neighbor_steps(agent: Agent, field: str = "agent") -> Iterator[WrittenStep]:
    """The Givens of the agent around an AgentsMD middleware."""
    if agent.instruction:
        yield _given(f'an instruction "{quoted(agent.instruction, f"{field}.instruction")}"')
    before = True
    for at, handler in enumerate(agent.handlers):
        if isinstance(handler, AgentsMD) and handler.name == "agentsmd":
            before = False
        else:
            yield _neighbor(handler, "before" if before else "after", f"{field}.handlers[{at}]")
    for at, tool in enumerate(agent.tools):
        yield _neighbor_tool(tool, f"{field}.tools[{at}]")
    calls = len(agent.model.turns) - 1 if agent.model else 0
    if calls > 1 or (calls and not any(tool.agent or tool.interrupts or tool.error for tool in agent.tools)):
        yield _given(f"a model that calls a tool {times(calls)} before it answers")


def _neighbor(handler: Handler, side: str, field: str) -> WrittenStep:
    start = f"a handler {side} the AgentsMD middleware that"
    observing = tuple(Script(hook=hook) for hook in EVERY_HOOK)
    match handler:
        case AgentsMD(name="second", config=Config(files=(path,))):
            return _given(f'a second AgentsMD middleware for "{quoted(path, field)}"')
        case AgentsMD(name="second", config=Config(files=paths)) if paths is not None:
            return _given(f"a second AgentsMD middleware for the files {names_text(paths, field)}")
        case Scripted(name=name) if handler.scripts == observing and name == name_of_neighbor(SIDES.read(side)):
            return _given(f"{start} observes")
        case Scripted(scripts=(Script(actions=(DropInstructions(),)),)):
            return _given(f"{start} removes the instructions")
        case Scripted(scripts=(Script(actions=(Summarize(over=over),)),)):
            return _given(f'{start} replaces more than {over} messages with "(summary)"')
        case Scripted(scripts=(Script(actions=(Insert(message=Message(content=text)),), calls=(call,)),)):
            return _given(f'{start} inserts "{quoted(text, field)}" first in model call {call}')
        case Scripted(scripts=(Script(actions=(AddContext(key=key),)),)):
            return _given(f'{start} adds "{quoted(key, field)}" to the context')
    raise NotWritable(field, "no phrase gives this handler next to the AgentsMD middleware")


def _neighbor_tool(tool: Tool, field: str) -> WrittenStep:
    if tool.agent:
        return _given("a sub-agent with the same middleware")
    if tool.interrupts:
        return _given("a tool that interrupts the run")
    if tool.error:
        return _given("a tool that fails")
    if tool != Tool(name=tool.name):
        raise NotWritable(field, "no phrase gives this tool next to the AgentsMD middleware")
    return _given(f"the tools {names_text([tool.name], f'{field}.name')}")
