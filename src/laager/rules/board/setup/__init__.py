"""How a side sets up before a battle: the plan, its checks, fortifications, the proposal, the question, the sheet.

Rule systems override the hooks of `BoardSetting`, `BoardPlan`, `Proposal` and `Setup`. Purchase of
fortifications is not here (`board.buying`), nor is moving between battles.
"""
