// Measures how deep an update nests shared types.
import * as Y from 'yjs';

type Structs = readonly (Y.Item | Y.GC | Y.Skip)[];

/**
 * The levels of types inside each other that the update itself brings. Only its own structs count, so that the update
 * alone decides, and only parents of the same client: an edit brings no others.
 */
export function typeDepthOf(structs: Structs): number {
  const depths = new Uint32Array(structs.length);
  let deepest = 0;
  let sectionStart = 0;
  for (const [at, struct] of structs.entries()) {
    if (structs[sectionStart]?.id.client !== struct.id.client) sectionStart = at;
    if (!(struct instanceof Y.Item)) continue;
    const indexOf = (id: unknown): number | null =>
      id instanceof Y.ID && id.client === struct.id.client ? indexOfClock(structs, id.clock, sectionStart, at) : null;
    const parent = indexOf(struct.parent);
    // Without a parent it stands beside what it follows or precedes.
    const sibling = indexOf(struct.origin) ?? indexOf(struct.rightOrigin);
    const depth = parent === null ? (sibling === null ? 0 : (depths[sibling] ?? 0)) : (depths[parent] ?? 0) + 1;
    depths[at] = depth;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The index of the struct that holds the clock, between two indexes; null if none does. */
function indexOfClock(structs: Structs, clock: number, from: number, to: number): number | null {
  let [low, high] = [from, to - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const struct = structs[middle];
    if (struct === undefined) return null;
    if (clock < struct.id.clock) high = middle - 1;
    else if (clock >= struct.id.clock + struct.length) low = middle + 1;
    else return middle;
  }
  return null;
}
