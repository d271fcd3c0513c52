// Items whose neighbours are far apart, beside many of another session: an editor of a page can append them. Yjs
// would walk over all of the other's for each.
import { expect, onTestFinished, test, vi } from 'vitest';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type ForgedStruct, forge } from '../sync/forge.ts';
import { IS_LONG } from './support/is-long.ts';

const CHARACTER = { ref: 'string', text: 'x' } as const;
type Items = (count: number) => readonly ForgedStruct[];
const CHAIN: Items = (count) =>
  Array.from({ length: count }, (_, n) => ({ origin: n === 0 ? null : [20, n - 1], content: CHARACTER }));

/** One client, many items, and another one's items among them. */
const CROWDS: readonly (readonly [name: string, theirs: Items, own: Items])[] = [
  [
    'insertions at one place beside a text',
    CHAIN,
    (count) =>
      Array.from({ length: count }, (_, n) => ({
        origin: null,
        right: n === 0 ? null : [30, n - 1],
        content: CHARACTER,
      })),
  ],
  [
    'items at one place beside others at that place',
    (count) => Array.from({ length: count }, () => ({ content: CHARACTER })),
    (count) => Array.from({ length: count }, () => ({ content: CHARACTER })),
  ],
  [
    'items that end in the middle of a text',
    CHAIN,
    (count) => Array.from({ length: count }, (_, n) => ({ right: [20, (n * 7_919) % count], content: CHARACTER })),
  ],
  [
    'items all over a text',
    CHAIN,
    (count) =>
      Array.from({ length: count }, (_, n) => ({
        origin: [20, (n * 7_919) % count],
        right: [20, (n * 104_729) % count],
        content: CHARACTER,
      })),
  ],
  [
    'values of one key',
    (count) => Array.from({ length: count }, () => ({ parent: 'm', sub: 'key', content: CHARACTER })),
    (count) => Array.from({ length: count }, () => ({ parent: 'm', sub: 'key', content: CHARACTER })),
  ],
];

/** How often maps are asked or changed; the walk does that at each step. */
function lookUps(theirs: Items, own: Items, count: number): number {
  const updates = [
    forge([{ client: 20, clock: 0, structs: theirs(count) }]),
    forge([{ client: 30, clock: 0, structs: own(count) }]),
  ];
  const doc = newDoc();
  const spies = [vi.spyOn(Map.prototype, 'get'), vi.spyOn(Map.prototype, 'set')];
  onTestFinished(() => void vi.restoreAllMocks());
  for (const update of updates) Y.applyUpdate(doc, update);
  expect(doc.store.pendingStructs).toBeNull();
  const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return calls;
}

test.each(CROWDS)('[GB3] %s need no walk for each', (_, theirs, own) => {
  const count = IS_LONG ? 20_000 : 1_000;
  // Yjs's walk takes count² steps.
  expect(lookUps(theirs, own, count)).toBeLessThan(150 * count);
  expect(lookUps(theirs, own, 2 * count)).toBeLessThan(150 * 2 * count);
});
