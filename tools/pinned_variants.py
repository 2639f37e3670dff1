"""`python -m tools.pinned_variants`: choose the variants that each case is judged in by default.

What a plain run misses of the conditional mutants, transformed scenes of the mutant's own rule may catch. The command
chooses few of them that catch many in little time, and writes at most 500 into `pinned.json` of the lab. It takes a
quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path

import loopspec_lab.variants
from loopspec.contract.specification import mutants
from loopspec.engine.judge import Judging
from loopspec.engine.output import write_text
from loopspec.specification.cases import Case
from loopspec.specification.features import cases_of_rule, compiled
from loopspec.specification.sources import case_named
from loopspec.targets.resolve import resolve
from loopspec_lab.variants import variants, varied_cases
from loopspec_lab.variants.variant import varied

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
    chosen = _chosen(counts, asked.most)
    print(f"{sum(map(len, missed.values()))} pairs missed by a plain run, {len(counts)} forms catch {counts.total()}")
    print(f"{len(chosen)} chosen catch {sum(counts[one.id] for one in chosen)}")
    pinned: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
    for one in map(varied, chosen):
        numbers = [variants()[one.form].parts.index(part) for part in one.variant.parts]
        pinned[one.base.id][one.form] = numbers
    lines = (f"  {json.dumps(name)}: {json.dumps(names, sort_keys=True)}" for name, names in sorted(pinned.items()))
    write_text(_FILE, "{\n" + ",\n".join(lines) + "\n}\n")


def _chosen(counts: Mapping[str, int], most: int) -> list[Case]:
    """The forms that catch much and take little time; all together take as long as the examples at most.

    What a form catches weighs more than its time, since the number of forms is limited, too.
    """
    with closing(resolve("reference")) as target:
        judging = Judging(target)
        seconds = {case.id: _seconds(judging, case) for case in (*compiled(), *map(_form, counts))}
    left = sum(seconds[case.id] for case in compiled())
    chosen: list[Case] = []
    for name in sorted(counts, key=lambda name: counts[name] ** 2 / seconds[name], reverse=True):
        if len(chosen) < most and seconds[name] <= left:
            left -= seconds[name]
            chosen.append(_form(name))
    return chosen


@cache
def _form(name: str) -> Case:
    case = case_named(name)
    assert case is not None, name
    return case


def _seconds(judging: Judging, case: Case) -> float:
    began = time.process_time()
    judging.judge(case)
    return time.process_time() - began


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
    """Forms of a rule's cases that catch these pairs, with the number that each is needed for.

    A form in several variants at once costs as much as one in a single variant, and comes first.
    """
    own, needed = list(cases_of_rule(rule)), Counter[str]()
    for at_once in (True, False):
        wanted = [one for one in variants().values() if bool(one.parts) == at_once]
        forms = {form.id: form for case in own for form in varied_cases(case, wanted)}
        reach = Reach([MUTANTS[name] for name in dict.fromkeys(name for name, _ in pairs)], [*own, *forms.values()])
        reached = {pair: [one for one in reach.of(MUTANTS[pair[0]], pair[1]) if one.id in forms] for pair in pairs}
        breadth = Counter(one.id for found in reached.values() for one in found)
        for pair, found in reached.items():
            found.sort(key=lambda one: (one.id not in needed, -breadth[one.id]))
            if red := first_red(MUTANTS[pair[0]], pair[1], found):
                needed[red.id] += 1
                pairs = [one for one in pairs if one != pair]
    return needed


if __name__ == "__main__":
    main()
