// A connection between documents on which the test decides what arrives when. Only the order of each author's updates is kept.
import { REMOTE_ORIGIN } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';

type Lane = { readonly to: Y.Doc; waiting: Uint8Array[] };

export function slowWire(docs: readonly Y.Doc[]) {
  const lanes: Lane[] = [];
  for (const from of docs) {
    const mine = docs.filter((to) => to !== from).map((to): Lane => ({ to, waiting: [] }));
    lanes.push(...mine);
    from.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === REMOTE_ORIGIN) return;
      for (const lane of mine) lane.waiting.push(update);
    });
  }
  const deliver = (lane: Lane, count: number) => {
    const ready = lane.waiting.slice(0, count);
    lane.waiting = lane.waiting.slice(count);
    // Updates that arrive together are one transaction, as in the session.
    if (ready.length === 0) return;
    Y.transact(
      lane.to,
      () => {
        for (const one of ready) Y.applyUpdate(lane.to, one, REMOTE_ORIGIN);
      },
      REMOTE_ORIGIN,
    );
  };
  return {
    /** Delivers some updates of one author to one reader. */
    deliverSome(random: () => number) {
      const lane = lanes[Math.floor(random() * lanes.length)];
      if (lane !== undefined) deliver(lane, 1 + Math.floor(random() * 4));
    },
    /** Delivers everything. */
    deliverAll() {
      while (lanes.some(({ waiting }) => waiting.length > 0)) for (const lane of lanes) deliver(lane, Infinity);
    },
  };
}
