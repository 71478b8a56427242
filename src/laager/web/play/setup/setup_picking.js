// What is picked of a draft: where it may go together, in which order it is placed, what comes next.
"use strict";

// The hexes where everything that is picked may be; of items none is asked, as they go where their holders are.
export function sharedGround({ grounds, allowed }, draft, picked) {
  const sets = [...picked].filter((id) => !draft.isItem(id)).map((id) => grounds[allowed[id]] ?? []);
  if (!sets.length) return [];
  return sets.reduce((all, one) => {
    const both = new Set(one);
    return all.filter((name) => both.has(name));
  });
}

// Holders before what they have, so that it finds them there.
export function inOrder(draft, ids) {
  return [...ids].sort((a, b) => Number(draft.isItem(a)) - Number(draft.isItem(b)));
}

// After a piece that had no place, the next one without; "" if all have one.
export function nextUnplaced(draft, id) {
  const all = [...draft.pieces.keys()];
  if (draft.left(id)) return id;
  const from = all.indexOf(id);
  return [...all.slice(from + 1), ...all.slice(0, from)].find((one) => !draft.placedSomewhere(one)) ?? "";
}

// The piece that a path such as units[3].at is about; "" if it is about none.
export function pieceOf(draft, field) {
  const found = /^(\w+)\[(\d+)\]/.exec(field);
  const row = found && draft.value[found[1]]?.[Number(found[2]) - 1];
  const id = row?.unit ?? row?.fort;
  return draft.pieces.has(id) ? id : "";
}

const HIDING = { concealed: "?", hip: "HIP", cloaked: "C" };

// The word for how a piece hides; "" if it doesn't.
export function hidingOf(draft, id) {
  if (!id || draft.isFort(id)) return "";
  return HIDING[draft.row(id).hide] ?? "";
}

// A piece as the draft has it: what it hides under lies over what its record says.
export function looksOf(draft, piece) {
  const row = draft.pieces.has(piece.id) && !draft.isFort(piece.id) ? draft.row(piece.id) : {};
  const states = (piece.states ?? []).filter((state) => !("hide" in row) || !(state in HIDING));
  return { ...piece, states: row.hide in HIDING ? [...states, row.hide] : states };
}

// Pieces by their group, in the order in which they came: fortifications and those without a group by these words.
export function groupsOf(pieces, words) {
  const groups = new Map();
  for (const one of pieces) {
    const name = one.fort ? words.forts : one.group || words.single;
    groups.set(name, [...(groups.get(name) ?? []), one.id]);
  }
  return groups;
}
