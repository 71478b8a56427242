import VASL.LOS.Map.Hex;
import VASL.LOS.Map.LOSResult;
import VASL.LOS.Map.Location;
import VASL.LOS.Map.Terrain;
import VASL.build.module.map.boardArchive.BoardArchive;
import VASL.build.module.map.boardArchive.SharedBoardMetadata;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.zip.ZipFile;

/** Asks VASL's own classes: VaslLos MODULE BOARDS, then on each line of input
 *  "BOARD COLUMN ROW PLACE COLUMN ROW PLACE". PLACE: u or d and how many Locations up or down from the ground (u0), b or a
 *  and a hexside (in bypass, on its first or second vertex). Answers line by line; to "BOARD COLUMN ROW" with what that hex
 *  is: name, level, terrain, stairway, levels up and down, and each hexside's terrain, with ! for a cliff. */
public class VaslLos {
    static Location place(Hex hex, String word) {
        int number = Integer.parseInt(word.substring(1));
        char kind = word.charAt(0);
        if (kind == 'a' || kind == 'b') {
            return hex.getHexsideLocation(number);
        }
        Location found = hex.getCenterLocation();
        for (int i = 0; i < number && found != null; i++) {
            found = kind == 'u' ? found.getUpLocation() : found.getDownLocation();
        }
        return found;
    }

    static String describe(Hex hex) {
        Location centre = hex.getCenterLocation();
        int up = 0;
        int down = 0;
        for (Location at = centre.getUpLocation(); at != null; at = at.getUpLocation()) {
            up++;
        }
        for (Location at = centre.getDownLocation(); at != null; at = at.getDownLocation()) {
            down++;
        }
        StringBuilder said = new StringBuilder(hex.getName() + "|" + hex.getBaseHeight() + "|" + centre.getTerrain().getName()
            + "|" + hex.hasStairway() + "|" + up + "|" + down);
        for (int side = 0; side < 6; side++) {
            Terrain along = hex.getHexsideTerrain(side);
            said.append("|" + (along == null ? "" : along.getName()) + (hex.hasCliff(side) ? "!" : ""));
        }
        return said.toString();
    }

    static VASL.LOS.Map.Map read(String name, String boards, SharedBoardMetadata shared) throws Exception {
        BoardArchive archive = new BoardArchive(name, boards, shared);
        VASL.LOS.Map.Map map = archive.getLOSData(shared.getTerrainTypes(), "Normal", false, 0.0);
        map.setSlopes(archive.getSlopes());
        return map;
    }

    public static void main(String[] words) throws Exception {
        SharedBoardMetadata shared = new SharedBoardMetadata();
        ZipFile module = new ZipFile(words[0]);
        shared.parseSharedBoardMetadataFile(module.getInputStream(module.getEntry("boardData/SharedBoardMetadata.xml")));
        HashMap<String, VASL.LOS.Map.Map> maps = new HashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder said = new StringBuilder();
        LOSResult found = new LOSResult();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] asked = line.split(" ");
            if (!maps.containsKey(asked[0])) {
                maps.put(asked[0], read(asked[0], words[1], shared));
            }
            VASL.LOS.Map.Map map = maps.get(asked[0]);
            if (asked.length == 3) {
                said.append(describe(map.getHex(Integer.parseInt(asked[1]), Integer.parseInt(asked[2]))) + "\n");
                continue;
            }
            Location[] ends = new Location[2];
            for (int i = 0; i < 2; i++) {
                int at = 1 + 3 * i;
                Hex hex = map.getHex(Integer.parseInt(asked[at]), Integer.parseInt(asked[at + 1]));
                ends[i] = place(hex, asked[at + 2]);
            }
            try {
                map.LOS(ends[0], asked[3].startsWith("a"), ends[1], asked[6].startsWith("a"), found, null);
            } catch (RuntimeException err) {
                said.append("fails\n");
                continue;
            }
            String block = found.isBlocked() ? found.getBlockedAtPoint().x + " " + found.getBlockedAtPoint().y : "- -";
            said.append((found.isBlocked() ? 1 : 0) + " " + block + " " + found.getHindrance() + " " + found.getRange()
                + " " + (found.isContinuousSlope() ? 1 : 0) + " " + (found.isBlocked() ? found.getReason() : "") + "\n");
        }
        System.out.print(said);
    }
}
