// Takes the definitions of counters out of a VASL module or an extension, here in the browser: the module itself (19 MB and more)
// is never sent. A module is a ZIP file; its entries are copied as they are packed.

const WANTED = ["buildFile.xml", "buildFile", "moduledata"];
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;

const view = async (blob) => new DataView(await blob.arrayBuffer());

/** Where the list of contents lies: its offset, size, and number of entries. */
async function findContents(file) {
  const from = Math.max(0, file.size - END_SIZE - LONGEST_COMMENT);
  const tail = await view(file.slice(from));
  for (let at = tail.byteLength - END_SIZE; at >= 0; at--) {
    if (tail.getUint32(at, true) === END) {
      return {
        entries: tail.getUint16(at + 10, true),
        size: tail.getUint32(at + 12, true),
        offset: tail.getUint32(at + 16, true),
      };
    }
  }
  return null;
}

/** The wanted entries of the list of contents: their record in it, and where the entry begins. */
async function findWanted(file, { entries, size, offset }) {
  const list = await view(file.slice(offset, offset + size));
  const found = [];
  for (let at = 0, left = entries; left > 0 && at + 46 <= list.byteLength; left--) {
    if (list.getUint32(at, true) !== CENTRAL) return [];
    const nameLength = list.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(list.buffer, at + 46, nameLength));
    if (WANTED.includes(name)) {
      found.push({
        name: new TextEncoder().encode(name),
        isBuildFile: name.startsWith("buildFile"),
        // Version, flags, method, time, checksum and sizes: the same 22 bytes in the list and before the content.
        head: new Uint8Array(list.buffer.slice(at + 6, at + 28)),
        packed: list.getUint32(at + 20, true),
        begins: list.getUint32(at + 42, true),
      });
    }
    at += 46 + nameLength + list.getUint16(at + 30, true) + list.getUint16(at + 32, true);
  }
  return found;
}

/** Return an entry's content as it is packed. */
async function packedContent(file, { begins, packed }) {
  const head = await view(file.slice(begins, begins + 30));
  const content = begins + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  return file.slice(content, content + packed);
}

const words = (size, ...fields) => {
  const data = new DataView(new ArrayBuffer(size));
  for (const [at, value, wide] of fields) {
    if (wide) data.setUint32(at, value, true);
    else data.setUint16(at, value, true);
  }
  return data;
};

/** Return a ZIP file with the definitions of a module alone, or null if the file isn't a module or an extension. */
export async function definitionsOf(file) {
  const contents = await findContents(file);
  const wanted = contents ? await findWanted(file, contents) : [];
  if (!wanted.some((entry) => entry.isBuildFile)) return null;
  const parts = [];
  const list = [];
  let at = 0;
  let listed = 0;
  for (const entry of wanted) {
    // Sizes stand in the head itself, so that nothing follows the content.
    entry.head[2] &= ~8;
    const content = await packedContent(file, entry);
    const length = words(2, [0, entry.name.length]);
    parts.push(words(4, [0, LOCAL, true]), entry.head, length, words(2), entry.name, content);
    list.push(words(6, [0, CENTRAL, true], [4, 20]), entry.head, length, words(16, [12, at, true]), entry.name);
    at += 30 + entry.name.length + content.size;
    listed += 46 + entry.name.length;
  }
  const end = words(
    END_SIZE,
    [0, END, true],
    [8, wanted.length],
    [10, wanted.length],
    [12, listed, true],
    [16, at, true],
  );
  return new Blob([...parts, ...list, end], { type: "application/zip" });
}
