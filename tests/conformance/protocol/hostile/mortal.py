"""The reference, which ends its process when it is resumed; for `loopspec serve`."""

from __future__ import annotations

import os

from loopspec import Stage
from loopspec.contract.scene import Run
from loopspec.targets.reference import Reference


class Mortal(Reference):
    """It can be asked for everything, and to go on with a checkpoint once."""

    async def perform(self, stage: Stage) -> None:
        """Build the scene's agent and let its runs happen, as long as none of them is resumed."""

        def forgotten(run: Run) -> bytes:
            os.write(2, b"cannot remember\n")
            os._exit(3)

        stage.runs.checkpoint = forgotten  # type: ignore[method-assign]  # it is to fail there
        await super().perform(stage)
