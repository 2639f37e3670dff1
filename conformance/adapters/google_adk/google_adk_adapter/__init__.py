"""Google ADK as a target of the role agent: `py:google_adk_adapter:GoogleADK`."""

from .core import GoogleADK

__all__ = ["GoogleADK"]
