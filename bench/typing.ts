// Presses keys for people and measures when the keys arrive in the others' documents. All people share one process, so
// there is one clock.
import { setTimeout as delay } from 'node:timers/promises';
import * as Y from 'yjs';
import type { OpenedDocument } from './systems/system.ts';

export const textOf = (doc: Y.Doc): Y.Text => doc.getText('t');

/** One key as an editor makes it: a character at the end of this person's text, then the caret behind it. */
export function pressKey({ doc, awareness }: OpenedDocument, withCaret = true): void {
  const text = textOf(doc);
  text.insert(text.length, 'x');
  if (!withCaret) return;
  const position = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, text.length));
  awareness.setLocalStateField('cursor', { anchor: position, head: position });
}

/** Measures how long every key takes to reach every other person. */
export class Arrivals {
  /** Milliseconds from a key press to its arrival at one other person. */
  readonly latencies: number[] = [];
  /** Per typist's client id: the Yjs clock of each key, and when it was pressed. */
  readonly #pressed = new Map<number, Map<number, number>>();
  readonly #watched: { readonly doc: Y.Doc; readonly arrived: () => void }[] = [];
  #expected = 0;

  constructor(people: readonly OpenedDocument[]) {
    for (const { doc } of people) {
      const known = new Map<number, number>();
      const arrived = () => this.#arrived(doc, known);
      doc.on('afterTransaction', arrived);
      this.#watched.push({ doc, arrived });
    }
  }

  press(person: OpenedDocument, withCaret = true): void {
    const { clientID, store } = person.doc;
    const keys = this.#pressed.get(clientID) ?? new Map<number, number>();
    this.#pressed.set(clientID, keys);
    keys.set(Y.getState(store, clientID), performance.now());
    this.#expected += this.#watched.length - 1;
    pressKey(person, withCaret);
  }

  get missing(): number {
    return this.#expected - this.latencies.length;
  }

  stop(): void {
    for (const { doc, arrived } of this.#watched) doc.off('afterTransaction', arrived);
  }

  #arrived(doc: Y.Doc, known: Map<number, number>): void {
    const now = performance.now();
    for (const [clientId, keys] of this.#pressed) {
      if (clientId === doc.clientID) continue;
      const state = Y.getState(doc.store, clientId);
      for (let clock = known.get(clientId) ?? 0; clock < state; clock++) {
        const at = keys.get(clock);
        if (at !== undefined) this.latencies.push(now - at);
      }
      known.set(clientId, state);
    }
  }
}

/** How many edits live updates showed to these people since they came, and how many only their rows. */
export function shownEdits(people: readonly OpenedDocument[]): { readonly live: number; readonly byRow: number } {
  const shown = people.map((person) => person.shownEdits?.() ?? { live: 0, byRow: 0 });
  return {
    live: shown.reduce((sum, { live }) => sum + live, 0),
    byRow: shown.reduce((sum, { byRow }) => sum + byRow, 0),
  };
}

/** The part of the edits that live updates showed, in percent; 100 when no edit came. */
export const livePercent = (live: number, byRow: number): number => (100 * live) / Math.max(1, live + byRow);

/** Runs `press` every `everyMs`, however long each call takes. */
export async function typeEvery(everyMs: number, keys: number, press: () => void): Promise<void> {
  const start = performance.now();
  for (let key = 0; key < keys; key++) {
    await delay(Math.max(0, start + key * everyMs - performance.now()));
    press();
  }
}
