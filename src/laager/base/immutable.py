"""What facts and the lines of a record have in common: they never change."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict

_new, _set = object.__new__, object.__setattr__


class Immutable(BaseModel):
    """A model that never changes and knows no unknown names. It has no private attributes."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def but(self, **changes: Any) -> Self:
        """Return a copy with some fields changed; the caller vouches for the new values.

        The same as `model_copy(update=...)`, but several times faster: a long log changes units thousands of times.
        """
        made = _new(type(self))
        _set(made, "__dict__", {**self.__dict__, **changes})
        _set(made, "__pydantic_fields_set__", self.__pydantic_fields_set__.union(changes))
        _set(made, "__pydantic_extra__", None)
        _set(made, "__pydantic_private__", None)
        return made
