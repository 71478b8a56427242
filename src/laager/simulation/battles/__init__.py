"""Models of battles: what becomes of units and ground when nobody plays the battle at the table.

A model is a `BattleModel` under the entry-point group `laager.battles`; `stated` ships.
"""

from laager.simulation.battles.model import BattleModel, Reports, battle_models, load_battles

__all__ = ["BattleModel", "Reports", "battle_models", "load_battles"]
