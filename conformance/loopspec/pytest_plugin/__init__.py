"""The pytest plugin: the only package of the kit that imports pytest or pytest-bdd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import loopspec_pytest

if TYPE_CHECKING:
    import pytest

    from .session import Session

SESSION = "loopspec-session"


def activate(config: pytest.Config | None = None) -> Session:
    """Return the session object of a pytest run, and register it on the first call.

    Called by the suite modules when they are imported. Raises `RuntimeError` outside pytest, and `pytest.UsageError`
    without the extra.
    """
    if config is None:
        if not loopspec_pytest.configs:
            raise RuntimeError("loopspec.suite can only be imported by pytest")
        config = loopspec_pytest.configs[-1]
    registered = config.pluginmanager.get_plugin(SESSION)
    if registered is None:
        loopspec_pytest.must_have_extra()
        from .session import Session

        registered = Session(config)
        config.pluginmanager.register(registered, SESSION)
    session: Session = registered
    return session
