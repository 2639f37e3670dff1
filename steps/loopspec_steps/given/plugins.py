"""Given: middlewares of the plugin layer, the summarization and the to-do list."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import AgentsMD, Field, FieldType, Model, SchemaForm, TodoList

from ..actions import ACTION_LIST, SCRIPT, SEVERAL_WHERE
from ..builders.scene import OBSERVERS, THE_HANDLER, SceneBuilder, named
from ..cells import JSON, NAME, OBJECT, YES_NO
from ..declarations import BuiltColumns, ClosedList, FieldColumn, PhraseError, Word
from ..phrasebook import given
from ..settings import Added
from ..templates import hole
from .parts import AGENT, PLUGIN, RUN, SCENE, SUMMARIZATION
from .tables import SCRIPTS, TOOLS, TURNS

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

FIELDS = BuiltColumns(
    "fields",
    "The fields of a schema, one per row.",
    Field(name=""),
    FieldColumn("field", "The name of the field.", NAME, "name", required=True),
    FieldColumn("type", "The type of the field; `any` by default.", FIELD_TYPES),
    FieldColumn("default", "The default value of the field; without a default the field begins with nothing.", JSON),
    FieldColumn("required", "Whether a value for the field is required.", YES_NO),
)


PLUGIN.given(
    'a middleware "{name}" that observes',
    "A middleware of the plugin layer with every hook that only observes, after all middlewares so far.",
    scripts=Added(OBSERVERS),
)
PLUGIN.given(
    'a middleware "{name}" that observes {where}',
    "A middleware that only observes, in one hook, or in several with `and` between them.",
    holds={"where": SEVERAL_WHERE},
    scripts=Added(hole("where")),
)
PLUGIN.given(
    'a middleware "{name}" that, {where:Where}, {actions}',
    "A middleware and its actions in one hook. A second step about the middleware adds to the first.",
    holds={"actions": ACTION_LIST},
    scripts=Added(SCRIPT),
)
PLUGIN.given(
    'a middleware "{name}" with the actions',
    "A middleware and its actions in several hooks.",
    SCRIPTS,
    scripts=Added(hole("table")),
)
PLUGIN.given('a middleware "{name}" without hooks', "A middleware that has no hook.")
PLUGIN.given(
    'the state of "{name}" has the fields',
    "The state schema of a middleware. A field without a default begins with nothing.",
    FIELDS,
    state=hole("table"),
)
PLUGIN.given(
    'the state of "{name}" is declared as {form}',
    "How the middleware declares the schema of its state.",
    holds={"form": FORMS},
    form=hole("form"),
)
PLUGIN.given(
    'the context of "{name}" has the fields',
    "The context schema of a middleware: the values of the runtime context that its hooks can read.",
    FIELDS,
    context=hole("table"),
)
PLUGIN.given(
    '"{name}" provides the tools', "Tools that a middleware provides for its agent.", TOOLS, tools=hole("table")
)
PLUGIN.given(
    'the hooks of "{name}" declare jumps to {targets} only',
    "The hooks of the middleware are objects that list these jumps, whether or not the hooks jump.",
    declares=True,
    may_jump_to=hole("targets"),
)


@given('the hooks of "{name}" are {form}', form=WRITTEN)
def hooks_are_declared(scene_builder: SceneBuilder, name: str, form: str) -> None:
    """How the middleware declares its hooks."""
    PLUGIN.put(scene_builder, replace(PLUGIN.of(scene_builder, name), **WRITTEN.read(form)), name)


RUN.given(
    "the runtime context {context}",
    "The runtime context of run 1. Without the step there is none.",
    run=1,
    context=hole("context"),
)
RUN.given("run {run:d} has the runtime context {context}", "The runtime context of a run.", context=hole("context"))
RUN.given(
    'run {run:d} belongs to the thread "{thread}"',
    "The thread of a run. Runs of one thread share the states of middlewares. Needs the capability threads.",
    thread="{thread}",
)


@given("a model with a context size of {tokens:d} tokens")
def context_size(scene_builder: SceneBuilder, tokens: int) -> None:
    """The context size in the profile of the agent's model, which answers as given or with "done".

    The model of a summarization that follows has the same profile.
    """
    loop = scene_builder.described
    loop.agent = replace(loop.agent, model=replace(loop.model, max_input_tokens=tokens))


SUMMARIZATION.given("a summarization without a limit", "The built-in summarization, which never begins.", trigger=None)
SUMMARIZATION.given(
    "a summarization with the limit {limit}",
    "The built-in summarization and the limits at which it begins, by their kinds: `messages`, `tokens` or `fraction`. "
    'Its model "summarizer" answers "done" unless another is given.',
    holds={"limit": OBJECT},
    trigger=hole("limit"),
)


@given('a second summarization "{name}" with the same configuration')
def second_summarization(scene_builder: SceneBuilder, name: str) -> None:
    """A second summarization with the same options, after all middlewares so far."""
    loop = scene_builder.described
    first = [handler for handler in loop.agent.handlers if handler.name == "summarization"]
    if not first:
        raise PhraseError("there is no first summarization")
    loop.attach(replace(first[0], name=name))


SUMMARIZATION.given(
    "the summarization keeps {count:d} messages",
    "The number of last messages that the summarization does not replace.",
    keep=hole("count"),
)
SUMMARIZATION.given("the summarization keeps the last message", "The last message is not summarized.", keep=1)
SUMMARIZATION.given(
    "the summarization has no model of its own", "The summaries come from the agent's model.", model=None
)
SUMMARIZATION.given(
    "the summarization has no token counter",
    "No token counter is configured, so that the summarization estimates. By default each word counts as one token.",
    counts=False,
)
SUMMARIZATION.given('the summaries begin with "{prefix}"', "The text that precedes each summary.", prefix="{prefix}")
SUMMARIZATION.given(
    "the model of the summarization answers",
    "The model that writes the summaries, one answer per row.",
    TURNS,
    model=Model(name="summarizer", turns=hole("table")),
)
SCENE.given(
    "the token counter counts {tokens:d} tokens per word",
    "The tokens that the harness counts for each word, so that a short conversation can have many tokens.",
    tokens_per_word=hole("tokens"),
)


@given('a to-do list with the {what} "{text}"', what=TODO_TEXTS)
def todo_list_with(scene_builder: SceneBuilder, what: str, text: str) -> None:
    """The built-in to-do list with a text that replaces one of its own."""
    loop = scene_builder.described
    loop.attach(replace(named(loop.agent.handlers, "todo list", TodoList()), **{TODO_TEXTS.read(what): text}))


AGENT.given("a to-do list", "The built-in to-do list.", handlers=Added(TodoList()))
AGENT.given(
    "AgentsMD with the configured files",
    "The AgentsMD middleware, at this position among the middlewares.",
    handlers=Added(AgentsMD(name=THE_HANDLER)),
)
SCENE.given(
    "an execution trace",
    "The harness records an execution trace of the middlewares. Needs the capability execution-trace.",
    traces=True,
)
