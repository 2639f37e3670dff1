"""`loopspec panels`: write the configuration forms of a target's strategies as a page."""

from __future__ import annotations

import argparse
import os
import sys

from ...contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable, UsageError
from ...contract.plugins import StrategyMeta
from ...contract.scene import Scene
from ...contract.target import Target
from ...engine.counting import counted
from ...engine.output import write_text
from ...engine.perform import perform
from ...pages.panels import render
from ...targets.resolve import resolve


def panels(args: argparse.Namespace) -> int:
    """Write the page, and print the number of panels."""
    if args.file.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{args.file} is not the name of an HTML page: use `loopspec panels {args.file} panels.html`")
    target = resolve(args.target)
    try:
        strategies = _strategies(target, args.target)
    except TargetTimedOut as error:  # the process would wait for the target's thread
        print(f"loopspec: {args.target} is unusable: {error}", file=sys.stderr, flush=True)
        os._exit(4)
    except (AdapterError, TargetCrashed) as error:
        raise TargetUnusable(f"{args.target} is unusable: {error}") from error
    target.close()
    write_text(args.file, render(args.target, strategies))
    print(f"wrote {args.file}: {counted(len(strategies), 'panel')}")
    return 0


def _strategies(target: Target, name: str) -> list[tuple[str, StrategyMeta | None]]:
    """Every strategy that the target registers, under its provider."""
    if "plugins" not in target.roles or "registry" not in target.capabilities:
        raise TargetUnusable(
            f"{name} has no strategies to show: it does not declare the role `plugins` with the capability `registry`"
        )
    seen = perform(target, Scene(act="catalog"), "plugins")
    return [(strategy.provider, strategy.meta) for strategy in seen.strategies]
