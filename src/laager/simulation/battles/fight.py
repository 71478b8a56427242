"""The fight itself: who meets whom, who wins which Location, who is hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from laager.catalogue import VehicleType
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, is_vehicle
from laager.rules.board.places import can_burn
from laager.rules.board.report.form import CAPTURED, ELIMINATED, ON_MAP, RECALLED
from laager.rules.board.units import HIDING, Mark
from laager.simulation.battles.artillery import ModuleUse, barrages
from laager.simulation.battles.field import Luck, UnitFate, hit_chance, odds
from laager.simulation.battles.targets import HELD, MELEE, TAKEN, Contest, TargetChoice
from laager.simulation.forces import Figures


@dataclass
class Captive:
    """A weapon in enemy hands: its type, its captor, its markers."""

    type: str
    by: str


class Engagement(TargetChoice):
    """A battle that the model works out: what becomes of every unit of both sides."""

    def __init__(self, cg: Any, figures: Figures, hits: Mapping[str, Mapping[str, float]], luck: str) -> None:
        super().__init__(cg, figures, Luck(luck))
        self.hits = hits
        self.taken: dict[str, list[Captive]] = {side: [] for side in SIDES}
        self.new: dict[str, list[dict[str, Any]]] = {side: [] for side in SIDES}
        self.barrages: dict[str, list[ModuleUse]] = {}
        self.hit: set[str] = set()
        self.wave = 0
        self.here: list[Contest] = []
        """The contests of the wave that is fought."""
        self.busy: Counter[str] = Counter()

    def resolve(self) -> None:
        """Work it out, in the order in which it happens at the table: who has won a Location goes on to the next."""
        self.barrages = {side: list(barrages(self, side)) for side in SIDES}
        self.enter()
        for wave in range(self.waves):
            self.wave = wave
            self._fight_wave()
        self._settle_mixed()
        self._mark_besides()
        self._free_prisoners()
        self._keep_captives()

    def _fight_wave(self) -> None:
        self.here, self.advanced = [], []
        for side in SIDES:
            self.here += self.choose_targets(side)
        self.contests += self.here
        for contest in self.here:
            self._meet(contest)
        for fate in self.advanced:
            self._meet_on_the_way(fate)
        self.busy = Counter(fate.unit.id for contest in self.here for fate in contest.everybody)
        for contest in self.here:
            self._decide(contest)
        for side in SIDES:
            self._lose_units(side)
        for contest in self.here:
            self._win_ground(contest)

    # Who meets whom -------------------------------------------------------------------------------

    def _meet(self, contest: Contest) -> None:
        """Find out who is in the way, and who supports; all of them are seen."""
        reach = int(self.figures["reach.contact"])
        contest.defenders = self.near(self.fighters(other_side(contest.side)), [contest.hex], reach)
        if not contest.defenders:
            return
        here = [contest.hex, *(fate.hex for fate in contest.attackers)]
        helpers = [f for f in self.fighters(contest.side) if is_vehicle(f.unit) or f.unit.kind in LEADERS]
        helpers += [f for f in self.fighters(contest.side) if self.is_tied(f) and f not in helpers]
        contest.supporters = [f for f in self.near(helpers, here, 2 * reach) if f not in contest.attackers]

    def _meet_on_the_way(self, fate: UnitFate) -> None:
        """A unit that went forward and came next to the enemy is in the fight, and so is he."""
        enemies = self.near(self.fighters(other_side(fate.unit.side)), [fate.hex], 1)
        for unit in (fate, *enemies) if enemies else ():
            self._reveal(unit)

    # Who wins it ------------------------------------------------------------------------------------

    def _decide(self, contest: Contest) -> None:
        figures, luck, name = self.figures, self.luck, f"{contest.side} {contest.hex} {self.wave}"
        if not contest.defenders:
            contest.result = TAKEN if luck("empty", name) < figures["ground.empty"] else HELD
            return
        enemy = other_side(contest.side)
        attack = (
            self.weight(contest.attackers) + 0.5 * self.fire_from_nearby(contest.supporters) + self._fire(contest.side)
        )
        cover = self.cover(enemy, contest.hex)
        if any(not HIDING.isdisjoint(fate.marks) for fate in contest.defenders):
            cover *= figures["cover.surprise"]
        inside = [fate for fate in contest.defenders if fate.hex == contest.hex]
        nearby = [fate for fate in contest.defenders if fate.hex != contest.hex]
        defence = self.weight(inside) + figures["ground.nearby"] * self.fire_from_nearby(nearby)
        defence = defence * cover + self._fire(enemy)
        ratio = attack / max(defence, 0.1) * luck.lognormal(figures["losses.luck"], "push", name)
        chance = odds(ratio, figures["ground.steepness"], figures["ground.odds"])
        met = any(fate.unit.kind in INFANTRY for fate in inside)
        throw, melee = luck("wins", name), figures["ground.melee"] if met else 0.0
        contest.result = TAKEN if throw < chance * (1 - melee) else MELEE if throw < chance + melee / 2 else HELD
        for fate in contest.everybody:
            self._reveal(fate)

    def _reveal(self, fate: UnitFate) -> None:
        fate.reveal()
        for load in self.with_unit(fate):
            if load.unit.side == fate.unit.side:
                load.reveal()

    def fire_from_nearby(self, fates: Iterable[UnitFate]) -> float:
        """Return what units bring to a contest from other hexes: each divides its fire among its contests."""
        return sum(self.worth(fate) / max(1, self.busy[fate.unit.id]) for fate in fates)

    def _fire(self, side: str) -> float:
        """Return what a side's OBA adds in each contest of a wave."""
        placed = sum(barrage.placed for barrage in self.barrages[side]) / self.waves
        return placed * self.figures["worth.oba"] / max(1, len([c for c in self.here if c.defenders]))

    # Who is hit -------------------------------------------------------------------------------------

    def engaged_units(self, side: str) -> list[UnitFate]:
        """Return a side's units that stood in a fight."""
        return [fate for fate in self.of(side) if fate.engaged and self.stands_alone(fate)]

    def _lose_units(self, side: str) -> None:
        figures, wave = self.figures, str(self.wave)
        mine, theirs = (
            [fate for fate in self.engaged_units(party) if fate.on_map] for party in (side, other_side(side))
        )
        if not mine:
            return
        ratio = (self.weight(theirs) + self._fire(other_side(side))) / max(self.weight(mine), 1.0)
        turns = self.turns / figures["losses.turns"] / self.waves
        turns *= figures["effort.night"] if self.night else 1.0
        luck = self.luck.lognormal(figures["losses.luck"], "losses", side)
        beaten = {c.hex for c in self.here if c.side != side and c.result == TAKEN}
        for fate in mine:
            held = 1.0 if fate.hex in beaten else figures["losses.held"]
            chance = hit_chance(figures["losses.rate"] * held, figures["losses.ratio"], ratio, turns, luck)
            if self.luck("hit", fate.unit.id, wave) < chance:
                self._hit(fate)
            elif Mark.BROKEN in fate.marks and self.luck("rally", fate.unit.id, wave) < figures["losses.rally"]:
                fate.marks -= {Mark.BROKEN, Mark.DM, Mark.DISRUPTED}

    def _hit(self, fate: UnitFate) -> None:
        self.hit.add(fate.unit.id)
        unit, parts = fate.unit, dict(self.hits.get(fate.unit.kind, {ELIMINATED: 1.0}))
        if self.is_tied(fate):
            parts.pop("captured", None)
        outcome = self.luck.choose(parts, "what", unit.id, str(self.wave))
        nation = self.cg.nation_of(unit)
        if outcome in {"reduced", "replaced"}:
            smaller = nation.reduced_type(unit.type) if outcome == "reduced" else nation.replaced_type(unit.type)
            if smaller and smaller in nation.mmc:
                fate.type = smaller
            else:
                fate.mark(Mark.BROKEN, Mark.DM)
        elif outcome == "broken":
            fate.mark(Mark.BROKEN, Mark.DM)
        elif outcome == "wounded" and Mark.WOUNDED not in fate.marks:
            fate.mark(Mark.WOUNDED)
        elif outcome in {ELIMINATED, "wounded"}:
            self.remove(fate, ELIMINATED)
        elif outcome == "captured":
            self._capture(fate, self._captor_near(fate))
        elif outcome == "recall":
            self.remove(fate, RECALLED)
        else:
            self._damage(fate, Mark(outcome))

    def _damage(self, fate: UnitFate, mark: Mark) -> None:
        """A vehicle is damaged; one that is abandoned leaves its crew beside it."""
        fate.mark(mark)
        if mark is Mark.ABANDONED:
            self._bail_out(fate)

    def _bail_out(self, fate: UnitFate) -> None:
        type_ = self.cg.nation_of(fate.unit).unit(fate.unit.type)
        if isinstance(type_, VehicleType) and type_.crew and type_.crew in self.cg.nation(fate.unit.side).mmc:
            row = {"type": type_.crew, "at": fate.at, "marks": [], "from": fate.unit.id}
            self.new[fate.unit.side].append(row)

    def remove(self, fate: UnitFate, how: str) -> None:
        """A unit is gone. What it had lies where it stood; passengers of a lost vehicle may get off."""
        if (
            how == ELIMINATED
            and fate.unit.kind == "afv"
            and self.luck("crew", fate.unit.id) < self.figures["besides.crew"]
        ):
            self._bail_out(fate)
        fate.fate = how
        for load in self.with_unit(fate):
            if load.unit.side == fate.unit.side and how != RECALLED:
                self._leave(fate, load)

    def _leave(self, fate: UnitFate, load: UnitFate) -> None:
        """What was with a unit that is gone lies there, or went with the vehicle."""
        aboard = is_vehicle(fate.unit)
        lucky = load.unit.kind in MMC | {"leader"} and self.luck("jumps", load.unit.id) < self.figures["besides.crew"]
        if aboard and not lucky:
            for further in self.with_unit(load):
                further.fate = ELIMINATED
            load.fate = ELIMINATED
        else:
            load.holder = ""

    # Prisoners and captured weapons -----------------------------------------------------------------

    def _captor_near(self, fate: UnitFate) -> UnitFate | None:
        """Return an enemy MMC in Good Order that was in the same fight, the nearest first."""
        able = [f for f in self.engaged_units(other_side(fate.unit.side)) if f.unit.kind in MMC and f.in_good_order]
        able = [f for f in able if f.unit.id not in self.hit]
        return min(able, key=lambda f: (self.distance(f.hex, fate.hex), f.unit.id), default=None)

    def _capture(self, fate: UnitFate, captor: UnitFate | None) -> None:
        """A unit surrenders: it is taken off the map, or stays there under guard; its weapons are the captor's."""
        if captor is None:
            self.remove(fate, ELIMINATED)
            return
        for load in self.with_unit(fate):
            if load.unit.kind in {"sw", "gun"}:
                self.seize(load, captor)
        stays = fate.unit.kind in INFANTRY and self.luck("guarded", fate.unit.id) < self.figures["losses.prisoner"]
        if stays:
            fate.fate, fate.at, fate.holder, fate.marks = ON_MAP, captor.at, "guard", frozenset({Mark.PRISONER})
        else:
            fate.fate = CAPTURED

    def seize(self, load: UnitFate, captor: UnitFate) -> None:
        """A weapon falls into enemy hands."""
        load.fate, load.holder = CAPTURED, ""
        self.taken[captor.unit.side].append(Captive(load.unit.type, captor.unit.id))

    # Ground -----------------------------------------------------------------------------------------

    def _win_ground(self, contest: Contest) -> None:
        """Who has won a hex moves in; who stood there goes back, or is lost."""
        able = [f for f in contest.attackers if f.in_good_order and f.hex != contest.hex]
        able = [f for f in able if self.may_stand(f, contest.hex)]
        if not able or contest.result == HELD:
            contest.result = HELD
            return
        inside = [f for f in self.of(other_side(contest.side)) if f.on_map and f.hex == contest.hex]
        tied = any(self.is_tied(f) and f.unit.kind != "crew" for f in inside)
        foes = [f for f in inside if f.unit.kind in INFANTRY and f.in_good_order and self.stands_alone(f)]
        if contest.result == MELEE or tied or any(is_vehicle(f.unit) for f in inside):
            if foes and contest.result == MELEE:
                self._close_combat(able[0], foes)
            else:
                contest.result = HELD
            return
        for fate in inside:
            if self.stands_alone(fate) and fate.unit.kind in INFANTRY:
                self._fall_back(fate, contest, able[0])
        for fate in able:
            self.move(fate, contest.hex)
        self.holding.update([fate.unit.id for fate in able if fate.unit.kind in MMC][:1])
        for fate in [f for f in self.of(other_side(contest.side), "sw", "gun") if f.on_map and f.hex == contest.hex]:
            if not fate.holder:
                self.seize(fate, able[0])

    def _close_combat(self, fate: UnitFate, foes: list[UnitFate]) -> None:
        """Play ends in the middle of close combat."""
        self.move(fate, foes[0].at)
        fate.mark(Mark.MELEE)
        for foe in foes:
            if foe.at == fate.at:
                self._reveal(foe)
                foe.mark(Mark.MELEE)

    def _fall_back(self, fate: UnitFate, contest: Contest, captor: UnitFate) -> None:
        """A unit that lost its Location goes to the next place out of the enemy's way; Guns stay behind."""
        for load in self.with_unit(fate):
            if load.unit.kind == "gun":
                load.holder = ""
        own, enemy = fate.unit.side, self.seen_hexes(fate.unit.side)
        lost = {c.hex for c in self.here if c.side != own}
        near = self.map.hexes_within([fate.hex], 3) & self.map.playable
        ways = [n for n in self.map.in_order(near) if n not in enemy | lost and self.may_stand(fate, n)]
        start = [name for name in (f.unit.hex or f.hex for f in contest.attackers) if name]
        ways = [n for n in ways if min((self.distance(n, s) for s in start), default=2) > 1]
        if ways:
            self.move(
                fate, min(ways, key=lambda n: (self.distance(n, fate.hex), self.luck("falls back", fate.unit.id, n)))
            )
            fate.reveal()
        elif self.luck("surrenders", fate.unit.id) < self.figures["losses.cut-off"]:
            self._capture(fate, captor)
        else:
            self.remove(fate, ELIMINATED)

    def _settle_mixed(self) -> None:
        """Where units of both sides stand in one Location at the end, they are in Melee."""
        by_place: dict[str, list[UnitFate]] = {}
        for side in SIDES:
            for fate in self.fighters(side):
                held = fate.unit.kind in INFANTRY and Mark.PRISONER not in fate.marks
                if held or Mark.MELEE in fate.marks:
                    by_place.setdefault(fate.at, []).append(fate)
        for fates in by_place.values():
            if len({fate.unit.side for fate in fates}) > 1:
                for fate in fates:
                    self._reveal(fate)
                    fate.mark(Mark.MELEE)
            else:
                for fate in fates:
                    fate.marks -= {Mark.MELEE}

    # Besides ----------------------------------------------------------------------------------------

    def _mark_besides(self) -> None:
        """What else happens: heroes, hardened units, Encircled ones, weapons that malfunction."""
        figures, luck = self.figures, self.luck
        for side in SIDES:
            nation = self.cg.nation(side)
            for fate in self.engaged_units(side):
                if not fate.in_good_order:
                    continue
                name = fate.unit.id
                if fate.unit.kind == "squad" and name in self.hit and luck("hero", name) < figures["besides.hero"]:
                    if nation.leaders.hero:
                        self.new[side].append({"type": nation.leaders.hero, "at": fate.at, "marks": []})
                elif fate.unit.kind in MMC and luck("hardened", name) < figures["besides.hardened"]:
                    better = nation.hardened_type(fate.type) if fate.type in nation.mmc else None
                    fate.type = better if better in nation.mmc and better is not None else fate.type
                elif fate.unit.kind in INFANTRY and luck("encircled", name) < figures["besides.encircled"]:
                    fate.mark(Mark.ENCIRCLED)
            for fate in self.of(side, "sw", "gun"):
                works = fate.on_map and fate.engaged and not fate.unit.has(Mark.MALFUNCTIONED, Mark.DISABLED)
                if works and luck("malfunctions", fate.unit.id) < figures["losses.gun"]:
                    fate.mark(Mark.MALFUNCTIONED)

    def _free_prisoners(self) -> None:
        """Prisoners whose guard is gone or can't guard any more are unguarded."""
        for fate in self.fates.values():
            if Mark.PRISONER not in fate.marks or not fate.on_map or fate.holder in {"", "guard"}:
                continue
            guard = self.fates.get(fate.holder)
            if guard is None or not guard.in_good_order or guard.at != fate.at:
                fate.holder = ""
                fate.mark(Mark.UNGUARDED)

    def _keep_captives(self) -> None:
        """Prisoners that nobody is left to guard are taken away, and captured weapons go to whoever is there."""
        for fate in self.fates.values():
            guarded = Mark.PRISONER in fate.marks and fate.on_map and fate.holder == "guard"
            if guarded and not self._captors_at(other_side(fate.unit.side), fate.at):
                fate.fate, fate.holder, fate.marks = CAPTURED, "", frozenset()
        for side, pieces in self.taken.items():
            kept = []
            for piece in pieces:
                captor = self.fates[piece.by]
                able = [captor] if self._can_hold(captor) else self._captors_at(side, captor.at)
                kept += [Captive(piece.type, able[0].unit.id)] if able else []
            self.taken[side] = kept

    def _captors_at(self, side: str, at: str) -> list[UnitFate]:
        return [fate for fate in self.of(side, *MMC) if fate.at == at and self._can_hold(fate)]

    def _can_hold(self, fate: UnitFate) -> bool:
        """True if a unit can guard and carry: the enemy sees it, and it is neither broken nor a prisoner."""
        able = fate.on_map and fate.marks.isdisjoint({Mark.BROKEN, Mark.DISRUPTED, Mark.PRISONER, *HIDING})
        return able and self.stands_alone(fate)

    def fires(self) -> list[dict[str, str]]:
        """Return the fires that burn where there was fighting."""
        figures, ground, rows = self.figures, self.cg.state.ground, []
        for name in self.map.in_order({c.hex for c in self.contests if c.defenders}):
            burning = name in ground.flames | ground.blazes
            if not burning and can_burn(self.cg, name) and self.luck("fire", name) < figures["besides.fire"]:
                blaze = self.luck("blaze", name) < figures["besides.blaze"]
                rows.append({"at": name, "now": "blaze" if blaze else "flame"})
        return rows
