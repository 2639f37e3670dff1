"""`python -m tools.pinned_variants`: choose the variants that each case is judged in by default.

What the examples of a rule miss of its conditional mutants, transformed scenes of these examples may catch. The command
chooses few of them that catch many in little time, and writes at most 500 into `pinned.json` of the lab. It takes half
an hour.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import cache
from itertools import islice
from pathlib import Path
from typing import get_args

import loopspec_lab.variants
from loopspec.contract.specification import mutants
from loopspec.engine.judge import Judging
from loopspec.engine.output import write_text
from loopspec.engine.result import FAILURES
from loopspec.specification.cases import Case, CaseBasis
from loopspec.specification.features import cases_of_rule, compiled
from loopspec.specification.sources import case_named
from loopspec.targets.resolve import resolve
from loopspec_lab.variants import variants, varied_cases
from loopspec_lab.variants.variant import varied

assert mutants(), "the mutants stand with the tests"
from loopspec_mutants import Mutant  # noqa: E402  # found by `mutants`
from loopspec_mutants.matrix import Reach, conditional_mutants, first_red, tried  # noqa: E402  # found by `mutants`
from loopspec_mutants.trial import DEADLINE  # noqa: E402  # found by `mutants`

_MOST = 500
_EXAMPLES = 6  # of a rule, of which the forms are tried
_CATCHING = 3  # of these, those that catch a mutant
_TRIED = 10  # forms that try a pair: those that reach the most pairs
_TIME = 1.2  # of that of the examples
_FILE = Path(loopspec_lab.variants.__file__).with_name("pinned.json")


def main() -> None:
    """Choose, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.pinned_variants", description=__doc__)
    parser.add_argument("--most", type=int, default=_MOST, metavar="N", help=f"choose at most N forms ({_MOST})")
    parser.add_argument("--jobs", type=int, metavar="N", help="so many processes (one for each processor)")
    asked = parser.parse_args()
    rules = list(dict.fromkeys(one.rule for one in _mutants()))
    with ProcessPoolExecutor(asked.jobs, initializer=_quiet) as pool:
        found = list(pool.map(_covering, rules))
    counts = sum((forms for _, forms in found), Counter[str]())
    chosen = _chosen(counts, asked.most)
    missed = sum(number for number, _ in found)
    print(f"{missed} pairs missed by the examples of their rules, {len(counts)} forms catch {counts.total()}")
    print(f"{len(chosen)} chosen catch {sum(counts[one.id] for one in chosen)}")
    pinned: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
    for one in map(varied, chosen):
        numbers = [variants()[one.form].parts.index(part) for part in one.variant.parts]
        pinned[one.base.id][one.form] = numbers
    lines = (f"  {json.dumps(name)}: {json.dumps(names, sort_keys=True)}" for name, names in sorted(pinned.items()))
    write_text(_FILE, "{\n" + ",\n".join(lines) + "\n}\n")


def _chosen(counts: Mapping[str, int], most: int) -> list[Case]:
    """The forms that catch much and take little time; all together take little longer than the examples at most.

    What a form catches weighs more than its time, since the number of forms is limited, too.
    """
    with closing(resolve("reference")) as target:
        judging = Judging(target)
        seconds = {case.id: _seconds(judging, case) for case in (*compiled(), *map(_form, counts))}
    left = _TIME * sum(seconds[case.id] for case in compiled())
    chosen: list[Case] = []
    for name in sorted(counts, key=lambda name: counts[name] ** 1.5 / seconds[name], reverse=True):
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


@cache
def _mutants() -> tuple[Mutant, ...]:
    """Those of advisory rules, too: a strict run judges them."""
    return conditional_mutants(compiled(), get_args(CaseBasis))


def _quiet() -> None:
    """Keep to oneself what mutants make of an event loop."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    logging.lastResort = None


def _covering(rule: str) -> tuple[int, Counter[str]]:
    """How many pairs the examples of a rule miss; their forms that catch such pairs, with the number of pairs.

    A form in several variants at once costs as much as one in a single variant, which is tried only where none catches
    anything.
    """
    own, needed = list(cases_of_rule(rule)), Counter[str]()
    mine = [one for one in _mutants() if one.rule == rule]
    pairs = [(one.mutant, one.condition) for one in tried(mine, own) if one.outcome in ("survives", "not reached")]
    catching = {case.id: case for one in mine for case in _catching(one, own)}
    examples = [*catching.values(), *(case for case in own if case.id not in catching)][:_EXAMPLES]
    for at_once in (True, False):
        if needed or not pairs:
            break
        wanted = [one for one in variants().values() if bool(one.parts) == at_once]
        forms = [form for case in examples for form in varied_cases(case, wanted)]
        reach = Reach(mine, [*own, *forms])
        reached = [(pair, [one for one in reach.of(*pair) if one.source]) for pair in pairs]
        breadth = Counter(one.id for _, found in reached for one in found)
        for (mutant, condition), found in reached:
            found.sort(key=lambda one: (one.id not in needed, -breadth[one.id]))
            red = first_red(mutant, condition, reach.judged(found[:_TRIED]))
            if red and red.source:  # on a busy machine, an example may exceed its deadline
                needed[red.id] += 1
    return len(pairs), needed


def _catching(mutant: Mutant, cases: Iterable[Case]) -> Iterator[Case]:
    """The first of these cases that fail on the mutant without a condition: their forms come first."""
    with closing(mutant.target()) as target:
        judging = Judging(target, deadline=DEADLINE)
        yield from islice((case for case in cases if judging.judge(case).verdict in FAILURES), _CATCHING)


if __name__ == "__main__":
    main()
