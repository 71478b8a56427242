"""What stands on the roster and the purchase record: points, groups, options."""

from __future__ import annotations

from typing import Any

from laager.campaign import Fact
from laager.rules.board.state import evolve
from laager.rules.platoon_leader.state import PlState, Type
from laager.rules.platoon_leader.units import Group


class CpChanged(Fact):
    """A side gained or spent CP."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to its balance."""
        return state.with_side(self.side, cp=state.side(self.side).cp + self.by)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} CP {self.by:+d}"


class FpChanged(Fact):
    """A side gained or spent FP (PL 2.38)."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to its balance."""
        return state.with_side(self.side, fp=state.side(self.side).fp + self.by)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} FP {self.by:+d}"


class TvpAwarded(Fact):
    """A side was awarded TVP for the Locations it Controls (PL 3.33)."""

    side: str
    points: int
    locations: tuple[str, ...] = ()

    def apply(self, state: PlState) -> PlState:
        """Add to its CG TVP total."""
        return state.with_side(self.side, tvp=state.side(self.side).tvp + self.points, tvp_now=self.points)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} is awarded {self.points} TVP"


class GroupJoined(Fact):
    """A reinforcement group was bought, or given by the OB. CpChanged has the CP."""

    group: Group
    platoons: int = 0
    troops: str = ""

    def apply(self, state: PlState) -> PlState:
        """Write it on the Purchase Record."""
        group = self.group
        state = evolve(state, groups={**state.groups, (group.side, group.id): group})
        if group.given:
            return state
        side = state.side(group.side)
        counts = {**side.bought, group.rg: side.bought.get(group.rg, 0) + 1}
        now = {**side.bought_now, group.rg: side.bought_now.get(group.rg, 0) + 1}
        classes = dict(side.platoons)
        if self.platoons:
            classes[self.troops] = classes.get(self.troops, 0) + self.platoons
        return state.with_side(group.side, bought=counts, bought_now=now, platoons=classes)

    def tell(self) -> str:
        """Say it in a line."""
        how = "given" if self.group.given else f"{self.group.setup.value}, {self.group.cost} CP"
        return f"{self.group.side} gets {self.group.id} ({how})"


class GroupChanged(Fact):
    """Something about a group was settled: OBA ammunition, equipment, use, loss, setup right."""

    side: str
    group: str
    changes: dict[str, Any]

    def apply(self, state: PlState) -> PlState:
        """Write it on the group's line."""
        group = state.groups.get((self.side, self.group))
        if group is None:
            return state
        changed = Group.model_validate({**group.model_dump(), **self.changes})
        return evolve(state, groups={**state.groups, (self.side, self.group): changed})

    def tell(self) -> str:
        """Say it in a line."""
        changes = ", ".join(_in_words(name, value) for name, value in self.changes.items())
        return f"{self.side} {self.group}: {changes}"


def _in_words(name: str, value: Any) -> str:
    """Say what was settled of a group: players don't know the names of fields."""
    if isinstance(value, bool):
        words = name.replace("_", " ")
        return words if value else f"{words}: no"
    return f"{name} {value}"


class AttackOptionTaken(Fact):
    """A side has the Attack Option of the present firefight, bought or assigned (PL 1.4, 2.4)."""

    side: str
    assigned: bool = False

    def apply(self, state: PlState) -> PlState:
        """Flag it."""
        return state.with_side(self.side, attack=True)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} has the Attack Option" + (" (assigned)" if self.assigned else "")


class PatrolsChanged(Fact):
    """A side bought Patrols (PL 2.31), or used or lost them."""

    side: str
    by: int

    def apply(self, state: PlState) -> PlState:
        """Add to the Patrols left."""
        return state.with_side(self.side, patrols=state.side(self.side).patrols + self.by)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} Patrols {self.by:+d}"


class FirefightDetermined(Fact):
    """Both sides announced, and the kind of firefight follows (PL 2.4, 2.41)."""

    type: Type
    elr: dict[str, int]
    san: dict[str, int]
    attacked: dict[str, bool]
    attacker: str = ""
    sets_up_first: str = ""
    moves_first: str = ""

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster; the flags are public from now on."""
        for side, flag in self.attacked.items():
            state = state.with_side(side, attack=flag, elr=self.elr[side], san=self.san[side])
        return state.with_fight(
            type=self.type,
            elr=self.elr,
            san=self.san,
            attacked=self.attacked,
            attacker=self.attacker,
            sets_up_first=self.sets_up_first,
            moves_first=self.moves_first,
        )

    def tell(self) -> str:
        """Say it in a line."""
        sides = (f"{side} ELR {self.elr[side]} SAN {self.san[side]}" for side in self.elr)
        return f"{self.type.value}; {'; '.join(sides)}"


class MoverDecided(Fact):
    """The second dr of a Dual Attack: who moves first, and so counts as attacker (PL 2.41, 2.5)."""

    side: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(moves_first=self.side, attacker=self.side)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} moves first"
