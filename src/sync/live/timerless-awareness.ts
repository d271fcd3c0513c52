// The Awareness of y-protocols without its timer, which renews the local state every 15 s and forgets peers after 30 s.
// Here presence says who is there, and carets are sent when they change.
import { Awareness } from 'y-protocols/awareness';
import type * as Y from 'yjs';

/** A cursor (JSON relative positions, or the id of a text beside the page), its user, and of a caret its session. */
export type RemoteState = { readonly [field: string]: unknown };

export function timerlessAwareness(doc: Y.Doc): Awareness {
  const awareness = new Awareness(doc);
  // The constructor always starts the timer. `destroy` stops it once more, which is harmless.
  clearInterval(awareness._checkInterval);
  return awareness;
}

/** Sets a remote state, or removes it with null, and emits the events that y-protocols emits for a message of a peer. */
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
