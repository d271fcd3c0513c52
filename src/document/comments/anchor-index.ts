// Where the anchors of a page's threads are, while the page changes. A key costs nothing but a look at whether it deleted
// something where words are; `update`, which the caller runs when there is time, reads those places again.
import * as Y from 'yjs';
import type { Anchor } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { pageMoment } from './find-anchor.ts';
import type { FoundAnchor } from './found-anchor.ts';
import { TrackedBlock } from './tracked-block.ts';
import { TrackedChange } from './tracked-change.ts';
import { TrackedWords } from './tracked-words.ts';

export type AnchoredThread = { readonly id: ThreadId; readonly anchor: Anchor };

/** The words or the block of a thread are elsewhere by now: the server should have this anchor. */
export type MovedAnchor = {
  readonly id: ThreadId;
  readonly anchor: Anchor;
  /** The one that `set` named. */
  readonly known: Anchor;
  /** This tab moved them. Others that see them should wait a while: the one who moved them tells the server. */
  readonly isOwn: boolean;
};

type Tracked = TrackedWords | TrackedBlock;
type Entry = {
  anchor: Anchor;
  /** Null for a thread about the page. */
  readonly tracked: Tracked | null;
  found: FoundAnchor;
  isDue: boolean;
  /** What was reported last. */
  moved: Anchor | null;
};

const GONE: FoundAnchor = { at: 'gone', near: null };

/** `editor-comments.ts` has one for the document that its editor shows. */
export class AnchorIndex {
  readonly #doc: Y.Doc;
  readonly #onMoved: (moved: MovedAnchor) => void;
  readonly #entries = new Map<ThreadId, Entry>();

  /** `onMoved` runs in `update` and at the end of transactions, and must not change the document. */
  constructor(doc: Y.Doc, onMoved: (moved: MovedAnchor) => void) {
    this.#doc = doc;
    this.#onMoved = onMoved;
    doc.on('afterTransaction', this.#onTransaction);
  }

  destroy(): void {
    this.#doc.off('afterTransaction', this.#onTransaction);
    this.#entries.clear();
  }

  /** The threads of the page. Those whose anchor stays are not read again. */
  set(threads: readonly AnchoredThread[]): void {
    const ids = new Set(threads.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!ids.has(id)) this.#entries.delete(id);
    for (const { id, anchor } of threads) {
      const known = this.#entries.get(id);
      if (known !== undefined && isSameAnchor(known.anchor, anchor)) known.anchor = anchor;
      else if (known?.moved !== undefined && known.moved !== null && isSameAnchor(known.moved, anchor))
        settle(known, anchor);
      else this.#entries.set(id, { anchor, tracked: track(anchor), found: GONE, isDue: true, moved: null });
    }
    this.update();
  }

  /** Reads again what changed. False: every thread is where it was. */
  update(): boolean {
    const page = pageMoment(this.#doc);
    let isChanged = false;
    for (const [id, entry] of this.#entries) {
      if (!entry.isDue) continue;
      entry.isDue = false;
      const { found, moved } = entry.tracked?.locate(page) ?? { found: { at: 'page' } as const, moved: null };
      if (!isSameFound(entry.found, found)) {
        entry.found = found;
        isChanged = true;
      }
      if (moved !== null) this.#report(id, entry, moved, false);
    }
    return isChanged;
  }

  /** As of the last `update`. */
  get(id: ThreadId): FoundAnchor {
    return this.#entries.get(id)?.found ?? GONE;
  }

  readonly #onTransaction = (transaction: Y.Transaction): void => {
    if (transaction.changed.size === 0 || this.#entries.size === 0) return;
    const change = new TrackedChange(transaction);
    for (const [id, entry] of this.#entries) {
      if (entry.tracked?.isTouchedBy(change) !== true) continue;
      const moved = entry.tracked.follow(change);
      entry.isDue ||= entry.tracked.isDue;
      if (moved !== null) this.#report(id, entry, moved, transaction.local);
    }
  };

  #report(id: ThreadId, entry: Entry, anchor: Anchor, isOwn: boolean): void {
    entry.isDue = true;
    entry.moved = anchor;
    this.#onMoved({ id, anchor, known: entry.anchor, isOwn });
  }
}

function track(anchor: Anchor): Tracked | null {
  if (anchor.kind === 'page') return null;
  return anchor.kind === 'text' ? new TrackedWords(anchor) : new TrackedBlock(anchor);
}

function settle(entry: Entry, anchor: Anchor): void {
  const { tracked } = entry;
  if (tracked instanceof TrackedWords && anchor.kind === 'text') tracked.settle(anchor);
  if (tracked instanceof TrackedBlock && anchor.kind === 'block') tracked.settle(anchor);
  entry.anchor = anchor;
  entry.moved = null;
  entry.isDue = true;
}

const isSameAnchor = (one: Anchor, other: Anchor): boolean => wordsOf(one) === wordsOf(other);
/** `history` is only in anchors that wait to be sent. */
const wordsOf = (anchor: Anchor): string => JSON.stringify({ ...anchor, history: undefined });

function isSameFound(one: FoundAnchor, other: FoundAnchor): boolean {
  if (one.at === 'text' && other.at === 'text')
    return (
      one.isElsewhere === other.isElsewhere && isSamePosition(one.from, other.from) && isSamePosition(one.to, other.to)
    );
  if (one.at === 'gone' && other.at === 'gone') return isSamePosition(one.near, other.near);
  return one.at === 'block' && other.at === 'block' ? one.block === other.block : one.at === other.at;
}

const isSamePosition = (one: Y.RelativePosition | null, other: Y.RelativePosition | null): boolean =>
  Y.compareRelativePositions(one, other);
