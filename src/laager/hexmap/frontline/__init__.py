"""The front of Platoon Leader (PL 1.4, 3.2): Strategic Terrain, clusters, links, MLRs, No Man's Land.

Areas of towns and of Edson's Ridge are in `areas`.
"""
