// y-protocols' Awareness without its clockwork: it renews the local state every 15 s and forgets peers after 30 s by a
// timer of its own. Here presence says who is there, and carets are sent when they change.
import { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';

/** Fields of a remote state: a cursor (JSON relative positions) and whose it is. */
export type RemoteState = { readonly [field: string]: unknown };

export function timerlessAwareness(doc: Y.Doc): Awareness {
  const awareness = new Awareness(doc);
  // The constructor has no way not to start it; `destroy` stops it once more, which is harmless.
  clearInterval(awareness._checkInterval);
  return awareness;
}

/** Sets or (with null) removes a remote state and tells the binding, as y-protocols does for messages of peers. */
export function setRemoteState(awareness: Awareness, key: number, state: RemoteState | null): void {
  const had = awareness.states.has(key);
  if (state === null && !had) return;
  if (state === null) awareness.states.delete(key);
  else awareness.states.set(key, state);
  const meta = awareness.meta.get(key);
  awareness.meta.set(key, { clock: (meta?.clock ?? 0) + 1, lastUpdated: 0 });
  const change = {
    added: !had ? [key] : [],
    updated: had && state !== null ? [key] : [],
    removed: state === null ? [key] : [],
  };
  awareness.emit('change', [change, 'remote']);
  awareness.emit('update', [change, 'remote']);
}
