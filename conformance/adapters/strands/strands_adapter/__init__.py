from .core import Strands as Strands
