"""`python -m tools.generated`: pin the generated scenes that reach what no example reaches.

The settings of scenes are rows of a covering array, in which each possible pair of settings occurs. Each row is
completed at random in many ways. Half of the scenes that are kept reach, together, each function of the reference under
a condition, or under two, under which no example does. The others have, together, each two ingredients of scenes with
each end of a run. An equal seed, and equal versions of covertable and hypothesis, pin equal scenes.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import combinations
from random import Random

from covertable import make
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.observation import RunEnd
from loopspec.contract.scene import Scene
from loopspec.contract.target import Target
from loopspec.engine.judge import Judging, judge
from loopspec.engine.perform import perform
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve
from loopspec_lab.comparing.differences import differences
from loopspec_lab.comparing.outcomes import outcome_of
from loopspec_lab.fuzzing.ingredients import ingredients_of
from loopspec_lab.fuzzing.scenes import fits, role_for
from loopspec_lab.generated.data import MOST, Pinned, pin, pinned
from loopspec_lab.generated.source import case_of

from .covered import SETTINGS, TOGETHER, Settings, covered_scenes
from .reach import Reached, reach

_TIMES = 8  # how often each function is reached under each condition, if candidates do


def rows(seed: int) -> list[Settings]:
    """The settings of a covering array, and the same without a failure, after which little happens."""
    needed = [{"operator": "fn", "requires": list(names), "evaluate": possible} for names, possible in TOGETHER]
    found = make({name: list(values) for name, values in SETTINGS.items()}, constraints=needed, salt=str(seed))
    return [each for row in found for each in (row, {**row, "failure": "none"}) if each is row or each != row]


def scenes_of(row: Settings, seed: str, count: int) -> list[Scene]:
    """Scenes with these settings, completed at random."""
    drawn: list[Scene] = []

    def take(scene: Scene) -> bool:
        drawn.append(scene)
        return False

    phases, checks = (Phase.generate,), list(HealthCheck)
    limits = settings(max_examples=count, database=None, deadline=None, phases=phases, suppress_health_check=checks)
    with suppress(NoSuchExample):  # none is accepted, so all are drawn
        strategy = covered_scenes(row, frozenset(CAPABILITIES))
        find(strategy, take, settings=limits, random=Random(seed))
    return drawn


def of_examples() -> frozenset[Reached]:
    """What the examples of features reach, without any variant."""
    reference = resolve("reference")
    judging = Judging(reference)
    found: set[Reached] = set()
    for case in compiled():
        role = judging.role_for(case)
        if isinstance(role, str) and role in ("agent", "plugins", "loader", "middleware"):
            found |= reach(case.scene, role)[0]
    return frozenset(found)


def candidates(seed: int, count: int) -> Iterator[tuple[Pinned, frozenset[Reached]]]:
    """The generated scenes in which the reference ends, and shows the same twice, each with what it reaches."""
    reference = resolve("reference")
    everything = frozenset(CAPABILITIES)
    known: set[str] = set()
    for number, row in enumerate(rows(seed)):
        for scene in scenes_of(row, f"{seed} {number}", count):
            if not fits(scene, reference) or (role := role_for(scene, reference)) is None:
                continue
            reached, seen = reach(scene, role)
            if seen is None or seen.stuck or seen.unreached or (one := Pinned(scene, seen)).name in known:
                continue
            known.add(one.name)
            again = perform(reference, scene, role)
            if not differences(*(outcome_of(scene, each, everything) for each in (seen, again))):
                yield one, reached


def pairs_of(one: Pinned) -> frozenset[Reached]:
    """Each two ingredients of a scene, with how its last run ends."""
    last = one.seen.runs[-1] if one.seen.runs else RunEnd(n=0, run="")
    ends = {"cancelled": last.cancelled, "interrupted": last.interrupted, "failed": last.error, "answered": True}
    end = next(name for name, holds in ends.items() if holds)
    return frozenset(Reached(" with ".join(two), (end,)) for two in combinations(sorted(ingredients_of(one.scene)), 2))


def chosen(covers: Sequence[Mapping[str, frozenset[Reached]]], most: int = MOST) -> list[str]:
    """The names of scenes that together reach what each of these covers has, with an equal share for each cover.

    All is reached several times: a scene that reaches a function need not show what the function does wrong.
    """
    picked: list[str] = []
    for number, cover in enumerate(covers, 1):
        left = {name: reached for name, reached in sorted(cover.items()) if name not in picked}
        times = Counter(one for name in picked for one in cover[name])
        for often in range(1, _TIMES + 1):
            while left and len(picked) < most * number // len(covers):
                gains = {name: sum(times[one] < often for one in reached) for name, reached in left.items()}
                best = max(gains, key=lambda name: gains[name])
                if not gains[best]:
                    break
                picked.append(best)
                times.update(left.pop(best))
    return picked


def _passes(one: Pinned, *references: Target) -> bool:
    """Whether the reference passes the scene, in this process and as an adapter; print why not."""
    for reference in references:
        result = judge(case_of(one), reference, deadline=2.0)
        for failed in (*([result] if result.verdict != "passed" else []), *result.broken):
            print(f"not pinned: {failed.case} {failed.verdict} on {reference.identity.name}: {failed.message}")
            return False
    return True


def observed_again() -> int:
    """Pin the scenes that are pinned, with what the reference does in them now; return how many differ."""
    before = pinned()
    with closing(resolve("reference")) as reference:
        after = [
            one
            if judge(case_of(one), reference).verdict == "passed"
            else Pinned(one.scene, perform(reference, one.scene, role_for(one.scene, reference) or "agent"))
            for one in before
        ]
    pin(after)
    return sum(one is not other for one, other in zip(before, after, strict=True))


def main() -> int:
    """Pin the scenes, and print how many there are."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="an equal seed pins equal scenes (0)")
    parser.add_argument("--scenes", type=int, default=80, help="how many scenes are drawn from each row (80)")
    parser.add_argument("--again", action="store_true", help="keep the scenes, and observe the reference again")
    args = parser.parse_args()
    if args.again:
        print(f"{observed_again()} scenes are observed again.")
        return 0
    logging.disable(logging.CRITICAL)  # asyncio's, of tasks that a scene abandons
    known = of_examples()
    found = {one.name: (one, reached) for one, reached in candidates(args.seed, args.scenes)}
    new = {name: reached - known for name, (_, reached) in found.items()}
    names = chosen([new, {name: pairs_of(one) for name, (one, _) in found.items()}])
    served = resolve(f"cmd:{sys.executable} -m loopspec serve reference")
    with closing(resolve("reference")) as reference, closing(served):
        kept = [name for name in names if _passes(found[name][0], reference, served)]
    pin(found[name][0] for name in kept)
    added = frozenset().union(*(found[name][1] for name in kept)) - known
    single = sum(len(one.conditions) == 1 for one in added)
    print(f"{len(kept)} of {len(found)} scenes are pinned. Examples reach {len(known)} functions under conditions;")
    print(f"the scenes reach {single} more under one condition, and {len(added) - single} more under two.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
