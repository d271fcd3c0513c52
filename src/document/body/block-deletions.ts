// Deletes blocks in the safe view, which has no editor, and takes the last deletion back. A page can have any number of
// blocks, so each deletion is divided into transactions that do not freeze the browser; other people's edits may come
// between them.
import * as Y from 'yjs';
import { inSteps } from '../../lib/async/in-steps.ts';
import { onePer } from '../../lib/one-per.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import { type BodyPart, bodyParts } from '../body-parts.ts';
import { bodyOf } from '../names.ts';
import { keyOf } from './plain-body.ts';

/** Blocks, or rows of a table, that one transaction deletes: 20 to 40 ms including the session's work for the edit. */
const BLOCKS_PER_TRANSACTION = 500;
/** The Yjs origin of these edits. */
const DELETION_ORIGIN = {};

export type { BlockDeletions };

/** One for each document: a deletion can be undone as long as the document is open. */
export const deletionsOf = onePer((doc: Y.Doc) => new BlockDeletions(doc));

class BlockDeletions {
  readonly #doc: Y.Doc;
  readonly #undo: Y.UndoManager;
  readonly #changes = new Subscribable();
  /** For each deletion that can be taken back, the number of its transactions. */
  readonly #deletions: number[] = [];
  #isBusy = false;

  constructor(doc: Y.Doc) {
    this.#doc = doc;
    // Not the body alone: see `createUndo`.
    this.#undo = new Y.UndoManager(doc, { trackedOrigins: new Set([DELETION_ORIGIN]) });
  }

  readonly subscribe = this.#changes.subscribe;
  readonly canUndo = (): boolean => this.#deletions.length > 0;
  /** True while a deletion, or taking one back, goes on. */
  readonly isBusy = (): boolean => this.#isBusy;

  /** Deletes the blocks with these keys and resolves with how many there were. */
  async delete(keys: ReadonlySet<string>): Promise<number> {
    const before = this.#undo.undoStack.length;
    const count = await this.#run(this.#deleteInSteps(keys));
    const transactions = this.#undo.undoStack.length - before;
    if (transactions > 0) this.#deletions.push(transactions);
    this.#changes.notify();
    return count;
  }

  /** Takes the last deletion back. */
  async undo(): Promise<void> {
    const transactions = this.#deletions.pop() ?? 0;
    await this.#run(this.#undoInSteps(transactions));
  }

  async #run<Value>(steps: Generator<void, Value>): Promise<Value> {
    this.#isBusy = true;
    this.#changes.notify();
    try {
      return await inSteps(steps);
    } finally {
      this.#isBusy = false;
      this.#changes.notify();
    }
  }

  *#deleteInSteps(keys: ReadonlySet<string>): Generator<void, number> {
    const body = bodyOf(this.#doc);
    const left = new Set(keys);
    const isChosen = (part: BodyPart | undefined): part is BodyPart => part !== undefined && left.has(keyOf(part));
    for (;;) {
      // Others may have changed the page since the last step.
      const parts = bodyParts(body);
      const last = parts.findLastIndex(isChosen);
      const part = parts[last];
      if (part === undefined) return keys.size - left.size;
      const { element } = part;
      for (const deep of deepNodes(part)) {
        this.#transact(() => deep.delete(0, deep.length));
        yield;
      }
      if (isLarge(element)) {
        this.#transact(() => element.delete(element.length - BLOCKS_PER_TRANSACTION, BLOCKS_PER_TRANSACTION));
      } else {
        let first = last;
        while (last - first + 1 < BLOCKS_PER_TRANSACTION && isChosen(parts[first - 1]) && isPlain(parts[first - 1])) {
          first--;
        }
        const from = parts[first]?.from ?? part.from;
        this.#transact(() => body.delete(from, part.from + part.length - from));
        for (const deleted of parts.slice(first, last + 1)) left.delete(keyOf(deleted));
      }
      yield;
    }
  }

  *#undoInSteps(transactions: number): Generator<void, void> {
    for (let at = 0; at < transactions; at++) {
      this.#undo.undo();
      yield;
    }
  }

  #transact(run: () => void): void {
    this.#undo.stopCapturing();
    this.#doc.transact(run, DELETION_ORIGIN);
  }
}

/** Yjs deletes what a node contains by calling itself: 5,000 nodes inside each other exceed the stack. */
const MAX_DEPTH = 200;

/** The nodes at every 200th level inside a block, the deepest first. */
function deepNodes({ element }: BodyPart): readonly Y.XmlElement[] {
  const found: { readonly depth: number; readonly node: Y.XmlElement }[] = [];
  const waiting: { readonly depth: number; readonly node: unknown }[] = [{ depth: 0, node: element }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { depth, node } = next;
    if (!(node instanceof Y.XmlElement)) continue;
    if (depth > 0 && depth % MAX_DEPTH === 0) found.push({ depth, node });
    for (const child of node.toArray()) waiting.push({ depth: depth + 1, node: child });
  }
  return found.toSorted((a, b) => b.depth - a.depth).map(({ node }) => node);
}

/** Such a block is deleted together with others. */
const isPlain = (part: BodyPart | undefined): boolean =>
  part !== undefined && !isLarge(part.element) && deepNodes(part).length === 0;

const isLarge = (node: unknown): node is Y.XmlElement =>
  node instanceof Y.XmlElement && node.length > BLOCKS_PER_TRANSACTION;
