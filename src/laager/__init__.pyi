from laager.api import DataError as DataError
from laager.api import Fact as Fact
from laager.api import Front as Front
from laager.api import HexMap as HexMap
from laager.api import LaagerError as LaagerError
from laager.api import Look as Look
from laager.api import Problem as Problem
from laager.api import Referee as Referee
from laager.api import Refusal as Refusal
from laager.api import RefusedError as RefusedError
from laager.api import check_ob as check_ob
from laager.api import front_line as front_line
from laager.api import new as new
from laager.api import odds as odds
from laager.api import open as open
from laager.api import read_board as read_board
from laager.api import read_map as read_map
from laager.api import read_save as read_save
from laager.api import simulate as simulate

__version__: str
