"""Cancelled runs: the abort signal of an invocation, and the event that seals the invocation."""

from __future__ import annotations

import asyncio

from google.adk.events import Event
from google.genai import types

from loopspec_adapting import Reporter


class Aborted(Exception):
    """The runner has yielded the event of an aborted invocation."""


def abort_signal_of(report: Reporter[types.Content]) -> asyncio.Event:
    """Return the abort signal of a run."""
    signal = asyncio.Event()
    report.cancels.cancel_with(signal.set)
    return signal


def is_aborted(event: Event) -> bool:
    """Whether an event seals an aborted invocation."""
    return event.error_code == "INVOCATION_ABORTED"
