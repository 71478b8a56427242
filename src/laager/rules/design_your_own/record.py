"""Records of a purchase: what each side has bought, diced for and closed so far, and how another goes on from there.

What everybody knows of it stands in the opening of a campaign that goes on. What a side alone knows it enters itself
in the first step; what that answer is refused for follows from the opening and the answer alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError

from laager.base import DataError, LaagerError, Problem, Refusal, did_you_mean
from laager.base.files import Document, FilePart, Where, check, problems_of
from laager.campaign import Fact, Form, Procedure, Readings, SecretQuestion, Step, ask, implements
from laager.campaign.house import HOUSE, block_document, house_rules, lay_house
from laager.campaign.opening import RECORD
from laager.campaign.record import KEY
from laager.catalogue.dyo import DyoNation
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.check.check import as_problem, check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.forms import yaml_text
from laager.rules.design_your_own.files import settle_by_house
from laager.rules.design_your_own.ob import SECTIONS, OrderOfBattle
from laager.rules.design_your_own.rulebook import RULES, printed_rules
from laager.rules.design_your_own.sequence import CATEGORIES, steps_of
from laager.rules.design_your_own.spelling import spell_ob, spell_value
from laager.rules.design_your_own.state import DyoState, GivenValue, first_state
from laager.rules.design_your_own.terms import SIDES, SideId

Category = Literal["infantry", "san", "ordnance", "vehicles", "oba", "fortifications", "second-infantry"]


class SidePart(FilePart):
    """What a side alone knows: its order of battle so far, values that it gave, the categories that it has closed."""

    ob: OrderOfBattle
    values: tuple[GivenValue, ...] = ()
    closed: tuple[Category, ...] = ()


class PublicPart(FilePart):
    """What both sides know: the Weather, ELR that were announced, orders of battle shown, the house rules."""

    weather: str = Field("", max_length=60)
    announced: dict[SideId, Annotated[int, Field(ge=0, le=5)]] = {}
    shown: dict[SideId, OrderOfBattle] = {}
    house: dict[str, Any] = {}


class PurchaseRecord(FilePart):
    """A record of a purchase. A side that `secret` leaves out enters its part itself."""

    laager: Literal["dyo-record/1"]
    card: str = Field(description="The title of the terms.")
    next: str = Field(description="The step that comes next.")
    readings: dict[str, str] = Field({}, description="How rules are read where groups differ.")
    public: PublicPart = PublicPart()
    secret: dict[SideId, SidePart | None] = Field({}, description="What each side knows besides.")


@dataclass(frozen=True)
class RecordOfPurchase:
    """A record that was read: what goes into a campaign's opening, and what each side enters itself."""

    opening: dict[str, Any]
    secrets: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)


# Out ----------------------------------------------------------------------------------------------


def record_data(cg: Cg, next_step: str, public: DyoState, sides: Mapping[str, DyoState]) -> dict[str, Any]:
    """Return a record as plain data: what a spectator knows, and what these sides know besides."""
    usual = cg.readings.defaults
    chosen = {name: option for name, option in cg.chosen.items() if option != usual[name]}
    house = {name: part for name, part in cg.house.data.items() if name not in ("laager", "ruleset")}
    known = PublicPart(
        weather=public.weather,
        announced=dict(public.announced),
        shown={side: public.ob(side) for side in SIDES if side in public.shown},
        house=house,
    )
    data: dict[str, Any] = {
        "laager": "dyo-record/1",
        "card": " ".join(cg.terms.title.split()),
        "next": next_step,
        **({"readings": chosen} if chosen else {}),
        "public": known.model_dump(mode="json", exclude_defaults=True),
    }
    secret = {side: section_of(state, side) for side, state in sides.items()}
    return data | {"secret": secret} if secret else data


def section_of(state: DyoState, side: str) -> dict[str, Any]:
    """Return what a side alone knows, as a record has it."""
    part = SidePart(ob=state.ob(side), values=state.given.get(side, ()), closed=state.closed.get(side, ()))
    return part.model_dump(mode="json", exclude_defaults=True)


def record_text(data: Mapping[str, Any], remark: str = "") -> str:
    """Return a record as YAML, below a remark."""
    return "".join(f"# {line}\n" for line in remark.splitlines()) + yaml_text(data)


def record_template(cg: Cg) -> str:
    """Return a record to be filled in: where in its sequence a purchase by these terms can go on."""
    steps = [step.id for step in steps_of(first_state(cg.terms, "", cg.rulebook))]
    remark = ["Where your purchase stands. It goes on at the start of a step:", ", ".join(steps)]
    remark += ["Inside of a step each side goes on behind the categories that it has closed:", ", ".join(SECTIONS)]
    data = record_data(cg, steps[1], first_state(cg.terms, "", cg.rulebook), {})
    return record_text(data, "\n".join(remark))


# In -----------------------------------------------------------------------------------------------


def read_record(document: Document, setting: Mapping[str, Any]) -> RecordOfPurchase:
    """Read a record of a purchase by the terms of this setting. Raises DataError with every problem."""
    file = check(document, PurchaseRecord)
    begun = {name: part for name, part in setting.items() if name != RECORD}
    cg = Cg(begun)
    problems = list(_header_problems(document, file, cg))
    opening: dict[str, Any] = {
        "next": file.next,
        "public": file.public.model_dump(mode="json", exclude_defaults=True, exclude={"house"}),
    }
    if file.public.house:
        try:
            opening |= _with_house(document, setting, cg)
        except DataError as err:
            problems += err.problems
    if not problems:
        cg = Cg({**begun, RECORD: opening})
        for side, part in file.secret.items():
            if part is not None:
                wrong_cells = (problem.inside(f"secret.{side}") for problem in part_problems(cg, side, part))
                problems += [document.problem(_path(problem), problem.what, problem.right) for problem in wrong_cells]
    if problems:
        raise DataError(sorted(problems, key=lambda problem: problem.line or 0))
    secrets: dict[str, dict[str, Any]] = {
        side: fill_prices(cg, side, part) for side, part in file.secret.items() if part is not None
    }
    return RecordOfPurchase(opening, secrets, file.readings)


def _path(problem: Problem) -> Where:
    names = problem.field.replace("[", ".").replace("]", "").split(".")
    return tuple(int(name) - 1 if name.isdigit() else name for name in names if name)


def _header_problems(document: Document, file: PurchaseRecord, cg: Cg) -> Iterator[Problem]:
    title = " ".join(cg.terms.title.split())
    if " ".join(file.card.split()) != title:
        yield document.problem(("card",), f"this is a record of {file.card!r}", f"the terms are {title!r}")
    steps = [step.id for step in steps_of(first_state(cg.terms, "", cg.rulebook))]
    if file.next not in steps:
        yield document.problem(("next",), f"there is no step {file.next!r}", did_you_mean(file.next, steps, "one of"))
    for problem in Readings.load_packaged(PACKAGE).check(file.readings):
        yield document.problem(("readings",), str(problem))


def _with_house(document: Document, setting: Mapping[str, Any], cg: Cg) -> dict[str, Any]:
    """Return the house rules of a record, with the terms as they are by them. Raises DataError."""
    kept, _ = lay_house(None, block_document(document, RULES, at=("public",)), printed_rules())
    by_chart = {(side, nation) for side, nation in setting.get("elr_by_chart", ())}
    terms = settle_by_house(cg.terms, cg.catalogue, by_chart, house_rules(kept, PACKAGE))
    return {HOUSE: kept, "terms": terms.model_dump(mode="json", exclude_defaults=True)}


def start_from(state: DyoState, record: Mapping[str, Any]) -> DyoState:
    """Return the state in which a purchase goes on from a record, without what only one side knows."""
    public = PublicPart.model_validate(record["public"])
    ids = [step.id for step in steps_of(state)]
    done = tuple(ids[: ids.index(record["next"])])
    for side, elr in public.announced.items():
        state = state.with_ob(side, announced_elr=elr)
    for ob in public.shown.values():
        state = state.having(ob)
    announced = {str(side): elr for side, elr in public.announced.items()}
    weather = public.weather or state.weather
    shown = frozenset(public.shown)
    return replace(state, done=done, weather=weather, announced=announced, shown=shown, taking_up=True)


# A side's own part --------------------------------------------------------------------------------


def part_problems(cg: Cg, side: str, part: SidePart) -> list[Problem]:
    """Return everything that is wrong with what a side enters, by the terms, its catalogue and the rules."""
    half = cg.terms.side(side)
    problems = [
        Problem(f"{given} is not the {name} of {side}", f"{right}, as the terms have it", f"ob.{name}")
        for name, given, right in (
            ("side", part.ob.side, side),
            ("nation", part.ob.nation, half.nation),
            ("allotment", part.ob.allotment, half.points),
        )
        if given != right
    ]
    problems += _closed_problems(cg, part)
    if problems:
        return problems
    try:
        verdict = check_ob(_with_part(cg, side, part), side)
    except LaagerError as err:
        return [Problem(str(err), "the catalogue's own names", "values")]
    return [as_problem(find, None).inside("ob") for find in verdict.broken]


def _closed_problems(cg: Cg, part: SidePart) -> Iterator[Problem]:
    """Yield what can't be of the categories that a side is through with."""
    twice = sorted({name for name in part.closed if part.closed.count(name) > 1})
    if twice:
        yield Problem(f"{twice[0]} is there twice", "name each category once", "closed")
    due = _categories_to_come(cg)
    for name, spent in part.ob.spent.items():
        if spent and name in due and name not in part.closed:
            message = f"{name} has {spent} points, and is bought again as it isn't closed"
            yield Problem(message, f"add {name} to closed, or leave out what was bought", "closed")


def _categories_to_come(cg: Cg) -> set[str]:
    """Return the categories whose step isn't done at the start of the campaign; all in secret buying."""
    assert cg.record is not None
    ids = [step.id for step in steps_of(first_state(cg.terms, "", cg.rulebook))]
    left = ids[ids.index(cg.record["next"]) :]
    if "buying" in left:
        return set(SECTIONS) - {"san"}
    return {name for name in CATEGORIES if any(step.startswith(f"buying-{name}") for step in left)}


def _with_part(cg: Cg, side: str, part: SidePart) -> Cg:
    """Return the purchase with what one side enters, and nothing of the other's."""
    assert cg.record is not None
    state = start_from(first_state(cg.terms, side, cg.rulebook), cg.record)
    return cg.with_state(take_part(state, side, part))


def take_part(state: DyoState, side: str, part: SidePart) -> DyoState:
    """Return a state with what a side has entered."""
    given = {**state.given, **({side: part.values} if part.values else {})}
    closed = {**state.closed, **({side: part.closed} if part.closed else {})}
    return replace(state.having(part.ob), given=given, closed=closed)


def fill_prices(cg: Cg, side: str, part: SidePart) -> dict[str, Any]:
    """Return a part as it is taken up: types as the catalogue has them, prices that were left out filled in."""

    def of(value: GivenValue) -> DyoNation:
        return cg.catalogue.nation(value.nation or cg.terms.side(side).nation)

    values = tuple(spell_value(value, of(value)) for value in part.values)
    spelled = part.model_copy(update={"values": values})
    seen = _with_part(cg, side, spelled)
    spelled = spelled.model_copy(update={"ob": spell_ob(part.ob, seen.nation(side))})
    priced = check_ob(_with_part(cg, side, spelled), side).ob
    # What the check counts for itself is still to come, if the purchase hasn't come to it.
    ob = priced.model_copy(update={"equivalents": part.ob.equivalents})
    return spelled.model_copy(update={"ob": ob}).model_dump(mode="json", exclude_defaults=True)


class PurchaseTakenUp(Fact):
    """A side has entered what it alone knows of the record. Known to that side."""

    side: str
    section: dict[str, Any]

    def apply(self, state: DyoState) -> DyoState:
        """Put it into the state."""
        return take_part(state, self.side, SidePart.model_validate(self.section))

    def tell(self) -> str:
        """Say how much it is."""
        ob = SidePart.model_validate(self.section).ob
        return f"{self.side} takes up its record: {ob.total} points spent, {ob.left} left"


@dataclass(frozen=True)
class PartForm(Form):
    """A side's own part of a record; of a whole record its part is taken."""

    side: str
    cg: Cg = field(repr=False, compare=False)
    kind: ClassVar[str] = "record-part"

    @property
    def blank(self) -> dict[str, Any]:
        """Nothing bought yet."""
        assert self.cg.record is not None
        first = first_state(self.cg.terms, self.side, self.cg.rulebook)
        return section_of(start_from(first, self.cg.record), self.side)

    def parse(self, raw: Any) -> dict[str, Any]:
        """Accept the part, or a whole record."""
        if isinstance(raw, Mapping) and "secret" in raw and "laager" in raw:
            secrets = raw["secret"]
            raw = secrets.get(self.side) if isinstance(secrets, Mapping) else secrets
        if raw is None or raw in ("", {}):
            return self.blank
        try:
            part = SidePart.model_validate(raw)
        except ValidationError as err:
            raise DataError(problems_of(err, Document(raw, ""), SidePart), Refusal.BAD_ANSWER) from None
        if part_problems(self.cg, self.side, part):
            return part.model_dump(mode="json", exclude_defaults=True)
        return fill_prices(self.cg, self.side, part)

    def sample(self, rng: Random) -> dict[str, Any]:
        """Nothing bought yet."""
        return self.blank


def part_question(cg: Cg, side: str) -> SecretQuestion:
    """Return the question for a side's own part of the record."""
    form = PartForm(side, cg)

    def check_part(section: Mapping[str, Any]) -> Sequence[Problem]:
        return part_problems(cg, side, SidePart.model_validate(section))

    return SecretQuestion(
        KEY,
        side,
        f"What have the {cg.people_of(side)} bought so far?",
        form,
        default=form.blank,
        help="Your part of the record: your order of battle (ob) with the dice that it was bought by, values that you "
        "gave (values), and the categories that you are through with (closed).",
        check=check_part,
    )


@implements("DYO H1.1")
def take_up(cg: Cg, side: str) -> Procedure[None]:
    """Ask a side for what only it knows of the record (H1.1)."""
    section = yield from ask(part_question(cg, side))
    yield PurchaseTakenUp(side=side, section=section, why="as its record has it", to=(side,))


TAKE_UP = Step("take-up", "DYO H1.1", "Taking up the record", take_up, each_side=True, apart=True)
"""The step with which a purchase that goes on from a record begins."""
