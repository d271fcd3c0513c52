// The walk of Yjs 13.6.33 (`Item.integrate`) to the position of a new item, with its steps counted: the caller replaces long
// walks by an index. One map from items to steps stands for Yjs's two sets.
import * as Y from 'yjs';

/** Returns the item behind which the new one belongs; null means at the beginning. `head` is the first item of the list. */
export function walk(
  store: Y.Doc['store'],
  { id, left: from, right, origin, rightOrigin }: Y.Item,
  head: Y.Item | null,
): { readonly left: Y.Item | null; readonly steps: number } {
  const visited = new Map<Y.Item, number>();
  let left = from;
  let leftStep = 0;
  let step = 0;
  for (let item = from === null ? head : from.right; item !== null && item !== right; item = item.right) {
    step += 1;
    visited.set(item, step);
    let goesOn: boolean;
    if (Y.compareIDs(origin, item.origin)) {
      goesOn = item.id.client < id.client;
      if (!goesOn && Y.compareIDs(rightOrigin, item.rightOrigin)) break;
    } else {
      const originStep = item.origin === null ? undefined : visited.get(Y.getItem(store, item.origin));
      if (originStep === undefined) break;
      // Yjs forgets the items up to `left` in its set `conflictingItems`.
      goesOn = originStep <= leftStep;
    }
    if (goesOn) [left, leftStep] = [item, step];
  }
  return { left, steps: step };
}
