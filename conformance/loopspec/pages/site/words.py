"""The words of the features and of the kit, for a reader who meets them for the first time."""

from __future__ import annotations

from ...specification.ledger import Basis, Status

BASES: dict[Basis, str] = {
    "documented": "A document says it. Such a rule decides conformance.",
    "derived": "It follows, and no reading of the document lets an implementation do otherwise. It decides as well.",
    "clarified": "The document is silent or unclear: we chose, and the decision beside the rule says why. "
    "It is reported apart, and decides under --strict only.",
}

STATUSES: dict[Status, str] = {
    "scenario": "It has examples, and targets are judged by them.",
    "excluded": "Nothing is judged: the reason says why no example could be fair.",
    "quirk": "Known of one implementation, and recorded. It is never judged.",
    "withdrawn": "It was a rule once. Its id is never used again.",
}

FIELD = {
    "agent": "A model in a loop: it is asked, its tool calls are made, asked again, until it gives a final answer.",
    "run": "One pass of an agent over one conversation, from the first message to its end.",
    "model call": "Asking the model once, with the whole conversation and the tools that it may call.",
    "tool call": "Carrying out one call that the model asked for; its result goes into the conversation.",
    "handler": "What an agent is extended with: hooks in one object, called in the order of their registration.",
    "middleware": "A handler, or in the plugin layer what a strategy makes and a workflow attaches to an agent.",
    "hook": "A place in a run where a handler is called: before, after or around the agent, or a call.",
    "endpoint": "What a hook around a call is given to go on with: the call itself, or the next hook in.",
    "event": "What a run tells whoever watches it, while it goes on.",
    "backend": "What files are read through. It need not be a disk.",
    "instructions file": "A text such as Agents.md, of which a project makes an agent's instructions.",
    "import": "A word such as @rules/style.md in an instructions file: that file is shown, too.",
    "warning": "Word of something left out that does not end the run.",
}

KIT = {
    "target": "An implementation under test, as the command line names it: reference, or one of yours.",
    "role": "What a target is: it is judged by the rules for that.",
    "capability": "What a target can do besides. What is not declared is inapplicable; what is declared must work.",
    "scenario": "One example of a rule: a world, one act, and what must have been seen.",
    "baseline": "What a target is known to do differently, each with its reason, so that only news fails a build.",
    "mutant": "An implementation that is wrong on purpose in one way: the suite must catch it.",
    "quirk": "What one implementation happens to do where the document is silent.",
}
