"""The words of the features and of the kit, each with its meaning."""

from __future__ import annotations

from loopspec.specification.ledger import Basis, Status

BASES: dict[Basis, str] = {
    "documented": "A document states the rule. The rule is normative.",
    "derived": "The rule follows necessarily from a document. The rule is normative.",
    "clarified": "The documents are silent or unclear. We chose, and the decision of the rule says why. The rule is "
    "advisory: a failure is reported, and counts with `--strict` only.",
}

STATUSES: dict[Status, str] = {
    "scenario": "The rule has examples, and targets are judged by them.",
    "variant": "The examples of other rules are judged in transformed scenes.",
    "invariant": "The rule is judged in every case in which an agent runs.",
    "generated": "Targets are compared with the reference in generated scenes.",
    "merged": "Another rule states the same behavior and has the examples of both rules.",
    "excluded": "No target is judged by such a rule. The reason says why no example is fair.",
    "quirk": "Behavior of one implementation, which is recorded and never judged.",
    "withdrawn": "A rule of an earlier version. The id is never used again.",
}

FIELD = {
    "agent": "A model in a loop. The agent runs the tool calls of each answer and calls the model again, until an "
    "answer calls no tool.",
    "run": "One pass of an agent over one conversation, from the input of the caller to the last event.",
    "model call": "One request to the model, with the conversation and the tools that the model may call.",
    "tool call": "The execution of one call in a model's answer. The result is appended to the conversation.",
    "turn": "One pass through the loop: a model call and the tool calls of its answer.",
    "handler": "An extension of an agent: an object with hooks and wrappers. Handlers are called in the order of their "
    "registration.",
    "hook": "A method that a run calls at a fixed point: before or after the agent or a model call.",
    "wrapper": "A method that surrounds a model call or a tool call. A wrapper calls the next wrapper, or "
    "short-circuits with an answer of its own.",
    "endpoint": "What a wrapper receives in order to continue: the next wrapper, or the call itself.",
    "middleware": "In the plugin layer, an extension that a strategy creates and a workflow attaches to an agent. A "
    "legacy middleware and a tool middleware are older forms of a handler.",
    "AgentsMD middleware": "The extension that inserts the content of instructions files into a conversation.",
    "observes": "A handler that observes records what it receives and changes nothing.",
    "event": "A message, a chunk, an interrupt or an error that a run emits to the caller.",
    "context value": "A value that a hook or a wrapper sets. The value reaches the calls that follow or are inside.",
    "session value": "A value that all handlers, tools and sub-agents of a run share.",
    "checkpoint": "The stored state of a run that stopped early. A run is resumed from a checkpoint.",
    "interrupt": "A stop of a run that a tool requests, for example to ask a person.",
    "retry": "Another attempt to call the same model after a failure.",
    "failover": "An attempt to call another model after a failure.",
    "sub-agent": "An agent that is a tool of another agent, the outer agent.",
    "backend": "The object that instructions files are read through, for example a disk.",
    "instructions file": "A text for an agent, such as `Agents.md`.",
    "import": "A path after `@` in an instructions file, such as `@rules/style.md`. The file is loaded, too.",
    "warning": "A report about a file that was skipped. The load continues.",
}

KIT = {
    "rule": "One sentence that can be false, with an id that never changes.",
    "scenario": "An example of a rule: a world, one action, and what the harness must observe.",
    "case": "One scenario, or one row of a scenario outline.",
    "scene": "The data of a case: files, models, tools, handlers, and the runs to perform.",
    "action": "What a scripted hook, wrapper or tool of a scene does when a run calls it.",
    "observation": "The record of a performed scene: calls, messages, events, reads and warnings.",
    "harness": "The part of the kit that provides the doubles of a scene and records each call of a double.",
    "gate": "A point at which the harness holds a call until another event has happened, so that an order is certain.",
    "target": "An implementation under test, as the command line names it: `reference`, `py:…` or `cmd:…`.",
    "adapter": "The code that connects an implementation with the harness.",
    "role": "What a target is, such as `agent` or `loader`. A target is judged by the rules for its roles.",
    "capability": "What else a target can do. Rules that need an undeclared capability are inapplicable.",
    "normative": "Of a documented or derived rule: a target that fails the rule does not conform.",
    "advisory": "Of a clarified rule: a failure is reported, and counts with `--strict` only.",
    "verdict": "The result of a case or of a rule, such as `passed`, `failed` or `known`.",
    "baseline": "The list of the known failures of a target, each with a reason. Only new failures fail a build.",
    "variant": "A transformation of scenes after which the examples of other rules must still hold.",
    "mutant": "The reference with one bug, which the examples of one rule must catch.",
    "upstream": "The implementation that a document describes.",
    "quirk": "Behavior of one implementation where the documents are silent.",
}
