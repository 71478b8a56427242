"""The Balance of the campaigns (9.31)."""

from __future__ import annotations

from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED, AXIS, Balance
from laager.rules.board.hasl.card.card import Card

GERMAN = Balance(
    id="german", side=AXIS, text="German Personnel with a FT or a DC, and those who man a Gun, are Fanatic (ABtF 9.31)."
)
BRITISH = Balance(
    id="british", side=ALLIED, text="British Infantry in Fortified Building Locations is Fanatic (ABtF 9.31)."
)


@implements("ABtF 9.31", "ABtF 9.31 German", "ABtF 9.31 British")
def with_balance(card: Card) -> Card:
    """Return a card with the Balance of the rules for each side that it has none for."""
    own = {balance.side for balance in card.balance}
    more = tuple(balance for balance in (GERMAN, BRITISH) if balance.side not in own)
    return card.model_copy(update={"balance": (*card.balance, *more)}) if more else card
