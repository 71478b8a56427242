"""Where in the arrays of the kernels a number stands: of a hex, of a Location, of a kind of terrain, of a line.

Numba freezes these when it compiles.
"""

# A hex. Groups of six are by side or vertex, clockwise from the top (left).
CX, CY, AQ, AR, BASE, CENTRE, DEPRESSED, STAIRS, SLOPES, CLIFFS = range(10)
HILLOCK, ON_MAP, MARKS, TOP, SAFE, X_FROM, X_TO, Y_TO = range(10, 18)
NEAR, PLACE, SIDE, EDGE_X, EDGE_Y, VERTEX_X, VERTEX_Y, BORDER_X, BORDER_Y = range(18, 72, 6)
HEX_FIELDS = 72

# A Location: its hex, absolute level, terrain, a few flags, the pixel it is aimed at, bypass vertex (-1: none).
P_HEX, P_LEVEL, P_TERRAIN, P_DEPRESSED, P_CENTRE, P_GROUND, P_X, P_Y = range(8)
PLACE_FIELDS = 8
VERTICES_APART = 6
"""A hex has six Locations in bypass on their first vertices, and then the same on the others."""

# Flags of a kind of terrain. BUILDING and the like are groups of VASL's categories; ROAD_NAME and the like say what
# a name contains.
HALF = 1 << 0
OBSTACLE = 1 << 1
INHERENT = 1 << 2
SPLIT = 1 << 3
LOWER_OBSTACLE = 1 << 4
LOWER_HINDRANCE = 1 << 5
BUILDING = 1 << 6
PLAIN = 1 << 7
FACTORY = 1 << 8
OPEN = 1 << 9
HEXSIDE = 1 << 10
ROW_WALL = 1 << 11
DEPRESSION = 1 << 12
BRIDGE = 1 << 13
ENTRENCHMENT = 1 << 14
OUTER_WALL = 1 << 15
CLIFF = 1 << 16
ROOFTOP = 1 << 17
CELLAR = 1 << 18
ROOFLESS = 1 << 19
LIGHT_WOODS = 1 << 20
ROAD_NAME = 1 << 21
ROAD = 1 << 22
WATER = 1 << 23
FACTORY_INNER = 1 << 24
EMBANKMENT = 1 << 25
WALL_HEDGE = 1 << 26
BOCAGE = 1 << 27
IS_HILLOCK = 1 << 28
RUBBLE = 1 << 29
GRAIN_BRUSH = 1 << 30
ORCHARD_BARE = 1 << 31
JUNGLE = 1 << 32
UNKNOWN = 1 << 33

NULL = 256
"""The terrain of a pixel outside the picture, and of a Location without any."""
KINDS = 257

# A word of the picture: terrain code, level + 128, hex + 1 (0: none), and whether the pixel is more than plain ground.
LEVEL_SHIFT, HEX_SHIFT, ROUGH = 8, 16, 1 << 30
HEX_MASK = (1 << 14) - 1
MOST_HEXES = HEX_MASK - 1

# What a whole map says: its size, whether it has hillocks, embankments or slopes.
WIDTH, HEIGHT, HILLOCKS, EMBANKMENTS, SLOPED = range(5)
WHOLE_FIELDS = 5

# The state of a line: its ends, how it runs, and where the walk is. `FROM_SOURCE` and `TO_TARGET` are ranges, `GROUND`
# is the level of the pixel's ground, `RISE` the height of the terrain on it.
SOURCE_HEX, SOURCE_LEVEL, SOURCE_CODE, SOURCE_FLAGS, SOURCE_CENTRE = range(5)
SOURCE_GROUND, SOURCE_DEPRESSED, SOURCE_X, SOURCE_Y = range(5, 9)
SOURCE_FIELDS = 9
TARGET_HEX, TARGET_LEVEL, TARGET_CODE, TARGET_FLAGS, TARGET_CENTRE, TARGET_DEPRESSED, TARGET_X, TARGET_Y = range(9, 17)
RANGE, SIXTY, LEVEL_LINE, ALONG, EXIT_SPINE, ENTER_SPINE = range(17, 23)
SOURCE_SIDE, SOURCE_SIDE_2, TARGET_SIDE, TARGET_SIDE_2, EXITS, ENTERS, ON_SLOPE = range(23, 30)
START_HILL, END_HILL, CROSSING, SOURCE_HILL, TARGET_HILL = range(30, 35)
LEFT_BUILDING, HEX, LAST_HEX, IGNORED, FROM_SOURCE, TO_TARGET, CONTINUOUS = range(35, 42)
X, Y, GROUND, RISE, CODE, FLAGS, PIXEL_HEX, RULE, BLOCK_X, BLOCK_Y = range(42, 52)
FAILED, OVER, HINDRANCE, CROSSED, FIRST_RUBBLE, FIRST_GRAIN, WALL_HEX, WALL_SIDE, WALL_X, WALL_Y = range(52, 62)
SKIPPED, MEMORY, OLDER, GRID, COUNTED, EASY = range(62, 68)
CROSSED_LIST = 68
MOST_CROSSED = 60
STATE = CROSSED_LIST + MOST_CROSSED

# What the kernels write for a pair.
O_STATUS, O_X, O_Y, O_RULE, O_HINDRANCE, O_RANGE, O_SLOPE = range(7)
OUT_FIELDS = 7
CLEAR, BLOCKED, NO_ANSWER = range(3)

# A pair in one byte: hindrance in the lowest three bits.
BYTE_BLOCKED, BYTE_SLOPE, BYTE_NO_ANSWER = 8, 16, 32
