"""The reference, which ends its process when it is resumed; for `loopspec serve`."""

from __future__ import annotations

import os

from loopspec import Stage
from loopspec.contract.scene import Run
from loopspec_reference_adapter import Reference


class Mortal(Reference):
    """A reference that exits when a checkpoint is requested."""

    async def perform(self, stage: Stage) -> None:
        """Build the scene's agent and perform its runs, until one is resumed."""

        def forgotten(run: Run) -> bytes:
            os.write(2, b"cannot remember\n")
            os._exit(3)

        stage.runs.checkpoint = forgotten  # type: ignore[method-assign]  # the failure under test
        await super().perform(stage)
