"""The words of the features and of the kit, for a reader who is new to them."""

from __future__ import annotations

from ...specification.ledger import Basis, Status

BASES: dict[Basis, str] = {
    "documented": "A document says it. Such a rule is normative.",
    "derived": "It follows necessarily from what a document says. Such a rule is normative.",
    "clarified": "The documents are silent or unclear: we chose, and the decision next to the rule says why. "
    "Such a rule is advisory: it is reported apart, and counts under --strict only.",
}

STATUSES: dict[Status, str] = {
    "scenario": "It has examples, and targets are judged by them.",
    "merged": "Another rule states the same behavior. The decision says which one.",
    "excluded": "No target is judged by it: the reason says why no example could be fair.",
    "quirk": "Behavior of one implementation, recorded and never judged.",
    "withdrawn": "A rule of an earlier version. Its id is never used again.",
}

FIELD = {
    "agent": "A model in a loop: its tool calls are made, and it is called again, until it gives a final answer.",
    "run": "One pass of an agent over one conversation, from the first message to its end.",
    "model call": "One request to the model, with the whole conversation and the tools that it may call.",
    "tool call": "The execution of one call in a model's answer; its result goes into the conversation.",
    "handler": "An extension of an agent: hooks in one object. Handlers are called in the order of their registration.",
    "middleware": "In the plugin layer, what a strategy creates and a workflow attaches to an agent.",
    "hook": "A point of a run where a handler is called: before, after or around the agent or a call.",
    "endpoint": "What a hook around a call can call: the call itself, or the next hook.",
    "event": "What a run reports while it runs.",
    "backend": "The object that files are read through. It need not be a disk.",
    "instructions file": "A text such as Agents.md, of which a project makes an agent's instructions.",
    "import": "A word such as @rules/style.md in an instructions file: that file is loaded too.",
    "warning": "A report of something left out that does not end the run.",
}

KIT = {
    "target": "An implementation under test, as the command line names it: `reference`, or one of yours.",
    "role": "What a target is. It is judged by the rules for its roles.",
    "capability": "What else a target can do. What is not declared is inapplicable; what is declared must work.",
    "scenario": "One example of a rule: a world, one action, and what must have been observed.",
    "baseline": "The known failures of a target, each with its reason, so that only new failures fail a build.",
    "mutant": "The reference with one bug on purpose: the suite must catch it.",
    "quirk": "Behavior of one implementation where the document is silent.",
}
