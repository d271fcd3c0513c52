// Presses keys for people and measures when the keys arrive in the others' documents. All people share one process, so
// there is one clock.
import { setTimeout as delay } from 'node:timers/promises';
import * as Y from 'yjs';
import type { ClientNetwork } from './client-network.ts';
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

type Key = {
  readonly pressedAt: number;
  /** When the typist's socket sent the first message after it. */
  sentAt: number | null;
};

/** Measures how long every key takes to reach every other person. */
export class Arrivals {
  /** Milliseconds from a key press to its arrival at one other person. */
  readonly latencies: number[] = [];
  /** Their parts, where the people's networks are given: until it is sent, until it is received, until it is in the document. */
  readonly stages: { readonly sender: number[]; readonly server: number[]; readonly receiver: number[] } = {
    sender: [],
    server: [],
    receiver: [],
  };
  /** Per typist's client id and Yjs clock. */
  readonly #keys = new Map<number, Map<number, Key>>();
  readonly #lastKey = new Map<number, Key>();
  readonly #stops: (() => void)[] = [];
  readonly #others: number;
  #expected = 0;

  constructor(people: readonly OpenedDocument[], networks: readonly ClientNetwork[] = []) {
    this.#others = people.length - 1;
    for (const [at, { doc }] of people.entries()) {
      const known = new Map<number, number>();
      let receivedAt: number | null = null;
      const arrived = () => this.#arrived(doc, known, receivedAt);
      doc.on('afterTransaction', arrived);
      const stop = networks[at]?.onMessage((direction) => {
        if (direction === 'down') receivedAt = performance.now();
        else this.#sent(doc.clientID);
      });
      this.#stops.push(() => doc.off('afterTransaction', arrived), stop ?? (() => undefined));
    }
  }

  press(person: OpenedDocument, withCaret = true): void {
    const { clientID, store } = person.doc;
    const keys = this.#keys.get(clientID) ?? new Map<number, Key>();
    this.#keys.set(clientID, keys);
    const key = { pressedAt: performance.now(), sentAt: null };
    keys.set(Y.getState(store, clientID), key);
    this.#lastKey.set(clientID, key);
    this.#expected += this.#others;
    pressKey(person, withCaret);
  }

  get missing(): number {
    return this.#expected - this.latencies.length;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  #sent(clientId: number): void {
    const key = this.#lastKey.get(clientId);
    if (key !== undefined) key.sentAt ??= performance.now();
  }

  #arrived(doc: Y.Doc, known: Map<number, number>, receivedAt: number | null): void {
    const now = performance.now();
    for (const [clientId, keys] of this.#keys) {
      if (clientId === doc.clientID) continue;
      const state = Y.getState(doc.store, clientId);
      for (let clock = known.get(clientId) ?? 0; clock < state; clock++) {
        const key = keys.get(clock);
        if (key === undefined) continue;
        const { pressedAt, sentAt } = key;
        this.latencies.push(now - pressedAt);
        if (sentAt === null || receivedAt === null || receivedAt < sentAt) continue;
        this.stages.sender.push(sentAt - pressedAt);
        this.stages.server.push(receivedAt - sentAt);
        this.stages.receiver.push(now - receivedAt);
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
