"""`python -m tools.pinned_variants`: choose the variants that each case is judged in by default.

What a plain run misses of the conditional mutants, transformed scenes of the mutant's own rule may catch. The command
chooses few of them that catch many, and writes at most 500 into `pinned.json` of the lab. It takes half an hour.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import loopspec_lab.variants
from loopspec.contract.specification import mutants
from loopspec.engine.output import write_text
from loopspec.specification.cases import SEPARATOR, Case
from loopspec.specification.features import cases_of_rule, compiled
from loopspec_lab.variants import variants, varied_cases

assert mutants(), "the mutants stand with the tests"
from loopspec_mutants import MUTANTS  # noqa: E402  # found by `mutants`
from loopspec_mutants.matrix import Reach, conditional_mutants, first_red, tried  # noqa: E402  # found by `mutants`

_MOST = 500
_FILE = Path(loopspec_lab.variants.__file__).with_name("pinned.json")


def main() -> None:
    """Choose, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.pinned_variants", description=__doc__)
    parser.add_argument("--most", type=int, default=_MOST, metavar="N", help=f"choose at most N forms ({_MOST})")
    asked = parser.parse_args()
    missed: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    with ProcessPoolExecutor(initializer=_quiet) as pool:
        shards = os.cpu_count() or 1
        for found in pool.map(_missed, range(shards), [shards] * shards):
            for rule, pairs in found.items():
                missed[rule] += pairs
        counts = sum(pool.map(_covering, missed, missed.values()), Counter[str]())
    print(f"{sum(map(len, missed.values()))} pairs missed by a plain run, {len(counts)} forms catch {counts.total()}")
    pinned: defaultdict[str, list[str]] = defaultdict(list)
    for name, _ in counts.most_common(asked.most):
        case, _, variant = name.rpartition(SEPARATOR)
        pinned[case].append(variant)
    print(f"{min(asked.most, len(counts))} chosen catch {sum(n for _, n in counts.most_common(asked.most))}")
    lines = (f"  {json.dumps(name)}: {json.dumps(sorted(names))}" for name, names in sorted(pinned.items()))
    write_text(_FILE, "{\n" + ",\n".join(lines) + "\n}\n")


def _quiet() -> None:
    """Keep to oneself what mutants make of an event loop."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    logging.lastResort = None


def _missed(shard: int, of: int) -> Mapping[str, list[tuple[str, str]]]:
    """The pairs that a plain run misses, by rule, of some of the mutants."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in tried(conditional_mutants(compiled())[shard::of], compiled()):
        if one.outcome in ("survives", "not reached"):
            found[one.mutant.rule].append((one.mutant.name, one.condition))
    return found


def _covering(rule: str, pairs: list[tuple[str, str]]) -> Counter[str]:
    """Forms of a rule's cases that catch these pairs, with the number that each is needed for."""
    own = list(cases_of_rule(rule))
    forms = {form.id: form for case in own for form in varied_cases(case, variants().values())}
    reach = Reach([MUTANTS[name] for name in dict.fromkeys(name for name, _ in pairs)], [*own, *forms.values()])
    reached = {pair: [one for one in reach.of(MUTANTS[pair[0]], pair[1]) if one.id in forms] for pair in pairs}
    breadth = Counter(one.id for found in reached.values() for one in found)
    chosen: list[Case] = []
    needed = Counter[str]()
    for (name, condition), found in reached.items():
        fresh = sorted((one for one in found if one not in chosen), key=lambda one: -breadth[one.id])
        known = [one for one in chosen if one in found]
        if red := first_red(MUTANTS[name], condition, [*known, *fresh]):
            needed[red.id] += 1
            chosen += [] if red in chosen else [red]
    return needed


if __name__ == "__main__":
    main()
