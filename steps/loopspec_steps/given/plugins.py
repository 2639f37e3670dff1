"""Given: middlewares of the plugin layer, the summarization and the to-do list."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import AgentsMD, Field, FieldType, Model, SchemaForm, Script, Summarization, TodoList
from loopspec.contract.values import Json

from ..actions import ACTION_LIST, script_of
from ..builders.agent import EVERY_HOOK
from ..builders.scene import THE_HANDLER, SceneBuilder
from ..cells import JSON, NAME, YES_NO, as_object, names
from ..declarations import ClosedList, Column, Columns, OpenType, PhraseError, Table, Word
from ..hooks import SEVERAL_WHERE
from ..phrasebook import given
from .scripts import SCRIPTS, observing, scripts_of
from .turns_and_tools import TOOLS, TURNS, tools_of, turns_of

FIELD_TYPES: ClosedList[FieldType] = ClosedList(
    "field types",
    "The type of a field of a schema.",
    Word("text", "The value is a text.", "text"),
    Word("number", "The value is a number.", "number"),
    Word("list", "The value is a list.", "list"),
    Word("any", "The value is any JSON value.", "any"),
)
FORMS: ClosedList[SchemaForm] = ClosedList(
    "forms of a state schema",
    "How a middleware declares the schema of its state.",
    Word("an object", "The schema is an object.", "object"),
    Word("an optional object", "The schema is an object that may be missing.", "optional object"),
    Word("an object with defaults", "The schema is an object with a default for the whole.", "object with defaults"),
)
WRITTEN: ClosedList[dict[str, bool]] = ClosedList(
    "forms of hooks",
    "How a middleware declares its hooks.",
    Word("synchronous functions", "The hooks are functions, and not coroutines.", {"sync": True}),
    Word("objects that declare their jumps", "The hooks are objects that list the jumps they do.", {"declares": True}),
)
TODO_TEXTS: ClosedList[str] = ClosedList(
    "texts of a to-do list",
    "A text that replaces a built-in text of the to-do list.",
    Word("prompt", "The system prompt of the to-do list.", "prompt"),
    Word("description", "The description of the tool of the to-do list.", "description"),
)

FIELD = Column("field", "The name of the field.", NAME, required=True)
TYPE = Column("type", "The type of the field; `any` by default.", FIELD_TYPES)
DEFAULT = Column("default", "The default value of the field; without a default the field begins with nothing.", JSON)
REQUIRED = Column("required", "Whether a value for the field is required.", YES_NO)

FIELDS: Columns[Column[object]] = Columns(
    "fields", "The fields of a schema, one per row.", FIELD, TYPE, DEFAULT, REQUIRED
)


def _trigger(text: str) -> dict[str, Json] | None:
    return None if text == "nothing" else as_object(text)


TRIGGER = OpenType(
    "trigger",
    "A JSON object with the limits by kind, `messages`, `tokens` or `fraction`; or `nothing`.",
    '{"messages": 4}',
    _trigger,
)


@given('a middleware "{name}" that observes')
def middleware_observes(scene_builder: SceneBuilder, name: str) -> None:
    """A middleware of the plugin layer with every hook that only observes, after all middlewares so far."""
    scene_builder.loop_or_new().plugin(name, *(Script(hook=hook) for hook in EVERY_HOOK))


@given('a middleware "{name}" that observes {where}', where=SEVERAL_WHERE)
def middleware_observes_where(scene_builder: SceneBuilder, name: str, where: str) -> None:
    """A middleware that only observes, in one hook, or in several with `and` between them."""
    scene_builder.loop_or_new().plugin(name, *observing(where))


@given('a middleware "{name}" that, {where:Where}, {actions}', actions=ACTION_LIST)
def middleware_does(scene_builder: SceneBuilder, name: str, where: str, actions: str) -> None:
    """A middleware and its actions in one hook. A second step about the middleware adds to the first."""
    scene_builder.loop_or_new().plugin(name, script_of(where, actions))


@given('a middleware "{name}" with the actions', SCRIPTS)
def middleware_does_all(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """A middleware and its actions in several hooks."""
    scene_builder.loop_or_new().plugin(name, *scripts_of(table))


@given('a middleware "{name}" without hooks')
def middleware_without_hooks(scene_builder: SceneBuilder, name: str) -> None:
    """A middleware that has no hook."""
    scene_builder.loop_or_new().plugin(name)


def _fields(table: Table) -> tuple[Field, ...]:
    return tuple(
        Field(
            name=FIELD.read(row),
            type=TYPE.of(row, "any"),
            default=DEFAULT.of(row, None),
            required=REQUIRED.of(row, False),
        )
        for row in table
    )


@given('the state of "{name}" has the fields', FIELDS)
def state_fields(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """The state schema of a middleware. A field without a default begins with nothing."""
    scene_builder.loop_or_new().plugin(name, state=_fields(table))


@given('the state of "{name}" is declared as {form}', form=FORMS)
def state_form(scene_builder: SceneBuilder, name: str, form: str) -> None:
    """How the middleware declares the schema of its state."""
    scene_builder.loop_or_new().plugin(name, form=FORMS.read(form))


@given('the context of "{name}" has the fields', FIELDS)
def context_fields(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """The context schema of a middleware: the values of the runtime context that its hooks can read."""
    scene_builder.loop_or_new().plugin(name, context=_fields(table))


@given('"{name}" provides the tools', TOOLS)
def middleware_tools(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """Tools that a middleware provides for its agent."""
    scene_builder.loop_or_new().plugin(name, tools=tools_of(table))


@given('the hooks of "{name}" are {form}', form=WRITTEN)
def hooks_are(scene_builder: SceneBuilder, name: str, form: str) -> None:
    """How the middleware declares its hooks."""
    scene_builder.loop_or_new().plugin(name, **WRITTEN.read(form))


@given('the hooks of "{name}" declare jumps to {targets} only')
def hooks_declare(scene_builder: SceneBuilder, name: str, targets: str) -> None:
    """The hooks of the middleware are objects that list these jumps, whether or not the hooks jump."""
    scene_builder.loop_or_new().plugin(name, declares=True, may_jump_to=names(targets))


@given("the runtime context {context}")
def runtime_context(scene_builder: SceneBuilder, context: str) -> None:
    """The runtime context of run 1. Without the step there is none."""
    scene_builder.run_details.setdefault(1, {})["context"] = as_object(context)


@given("run {run:d} has the runtime context {context}")
def runtime_context_of_run(scene_builder: SceneBuilder, run: int, context: str) -> None:
    """The runtime context of a run."""
    scene_builder.run_details.setdefault(run, {})["context"] = as_object(context)


@given('run {run:d} belongs to the thread "{thread}"')
def run_of_thread(scene_builder: SceneBuilder, run: int, thread: str) -> None:
    """The thread of a run. Runs of one thread share the states of middlewares. Needs the capability threads."""
    scene_builder.run_details.setdefault(run, {})["thread"] = thread


@given("a model with a context size of {tokens:d} tokens")
def model_takes(scene_builder: SceneBuilder, tokens: int) -> None:
    """The context size in the profile of the agent's model, which answers as given or with "done".

    The model of a summarization that follows has the same profile.
    """
    loop = scene_builder.loop_or_new()
    loop.model = replace(loop.model or Model(), max_input_tokens=tokens)


def _summarization(scene_builder: SceneBuilder, name: str = "summarization", **details: object) -> None:
    loop = scene_builder.loop_or_new()
    known = loop.handlers.get(name, Summarization(name=name, model=Model(name="summarizer")))
    assert isinstance(known, Summarization)
    new = replace(known, **details)
    if new.model is not None and loop.model is not None:
        new = replace(new, model=replace(new.model, max_input_tokens=loop.model.max_input_tokens))
    loop.handlers[name] = new


@given("a summarization triggered by {trigger}", trigger=TRIGGER)
def summarization(scene_builder: SceneBuilder, trigger: str) -> None:
    """The built-in summarization and the limits at which it begins.

    Its model "summarizer" answers "done" unless another is given.
    """
    _summarization(scene_builder, trigger=TRIGGER.read(trigger))


@given('a second summarization "{name}" with the same configuration')
def second_summarization(scene_builder: SceneBuilder, name: str) -> None:
    """A second summarization with the same options, after all middlewares so far."""
    handlers = scene_builder.loop_or_new().handlers
    if "summarization" not in handlers:
        raise PhraseError("there is no first summarization")
    handlers[name] = replace(handlers["summarization"], name=name)


@given("the summarization keeps {count:d} messages")
def summarization_keeps(scene_builder: SceneBuilder, count: int) -> None:
    """The number of last messages that the summarization does not replace."""
    _summarization(scene_builder, keep=count)


@given("the summarization keeps the last message")
def summarization_keeps_last(scene_builder: SceneBuilder) -> None:
    """The summarization does not replace the last message."""
    _summarization(scene_builder, keep=1)


@given("the summarization has no model of its own")
def summarization_without_model(scene_builder: SceneBuilder) -> None:
    """The summaries come from the agent's model."""
    _summarization(scene_builder, model=None)


@given("the summarization has no token counter")
def summarization_estimates(scene_builder: SceneBuilder) -> None:
    """No token counter is configured, so that the summarization estimates. By default each word counts as one token."""
    _summarization(scene_builder, counts=False)


@given("the token counter counts {tokens:d} tokens per word")
def word_counts_as(scene_builder: SceneBuilder, tokens: int) -> None:
    """The tokens that the harness counts for each word, so that a short conversation can have many tokens."""
    scene_builder.tokens_per_word = tokens


@given('the summaries begin with "{prefix}"')
def summarization_prefix(scene_builder: SceneBuilder, prefix: str) -> None:
    """The text that precedes each summary."""
    _summarization(scene_builder, prefix=prefix)


@given("the model of the summarization answers", TURNS)
def summarization_model(scene_builder: SceneBuilder, table: Table) -> None:
    """The model that writes the summaries, one answer per row."""
    _summarization(scene_builder, model=Model(name="summarizer", turns=turns_of(table)))


@given("a to-do list")
def todo_list(scene_builder: SceneBuilder) -> None:
    """The built-in to-do list."""
    scene_builder.loop_or_new().handlers["todo list"] = TodoList()


@given('a to-do list with the {what} "{text}"', what=TODO_TEXTS)
def todo_list_with(scene_builder: SceneBuilder, what: str, text: str) -> None:
    """The built-in to-do list with a text that replaces one of its own."""
    known = scene_builder.loop_or_new().handlers.get("todo list", TodoList())
    scene_builder.loop_or_new().handlers["todo list"] = replace(known, **{TODO_TEXTS.read(what): text})


@given("AgentsMD with the configured files")
def agentsmd_attached(scene_builder: SceneBuilder) -> None:
    """The AgentsMD middleware, at this position among the middlewares."""
    scene_builder.loop_or_new().handlers[THE_HANDLER] = AgentsMD(name=THE_HANDLER)


@given("an execution trace")
def execution_trace(scene_builder: SceneBuilder) -> None:
    """The harness records an execution trace of the middlewares. Needs the capability execution-trace."""
    scene_builder.traces = True
