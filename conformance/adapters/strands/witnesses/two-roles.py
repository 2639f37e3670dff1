"""A message of a conversation has one of two roles, and neither is the system's."""

from typing import get_args

from strands.types.content import Role

print(*get_args(Role))

# Output:
# user assistant
