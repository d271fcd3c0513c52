// Remote carets: where each is in this document, when it moved, and what its user just wrote. Knows no DOM;
// `caret-layer.ts` draws it.
import type { EditorState } from '@tiptap/pm/state';
import { type UserId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Awareness } from 'y-protocols/awareness';
import * as Y from 'yjs';
import { type PageBinding, bindingOf } from '../binding/binding-of.ts';
import { toAbsolutePosition } from '../binding/page-positions.ts';

/** Text that the user just wrote. It is underlined for `THREAD_MS` from `since`. */
export type CaretThread = { readonly from: number; readonly to: number; readonly since: number };
export type RemoteCaret = {
  /** The client id of its session in the awareness: a user with two tabs has two carets. */
  readonly key: number;
  readonly user: UserId;
  readonly anchor: number;
  readonly head: number;
  readonly movedAt: number;
  /** The name is shown at the caret until then. */
  readonly namedUntil: number;
  readonly threads: readonly CaretThread[];
};

export const THREAD_MS = 1600;
/** Characters typed within this time fade together. */
const JOIN_MS = 200;
const NAMED_MS = 2000;
/** A larger step is a jump: the user looks at another place now. */
const JUMP_UNITS = 40;

/** A thread whose ends follow the text while others edit. */
type RelativeThread = { readonly from: Y.RelativePosition; readonly to: Y.RelativePosition; readonly since: number };
type TrackedCaret = {
  cursor: string;
  head: Y.RelativePosition;
  at: { anchor: number; head: number } | null;
  movedAt: number;
  /** The length of each client's content when the caret last moved. */
  clocks: ReadonlyMap<number, number>;
  namedUntil: number;
  threads: RelativeThread[];
};

/** The position of every remote caret, without the data for drawing. */
export function remotePositions(
  awareness: Awareness,
  state: EditorState,
): readonly Pick<RemoteCaret, 'user' | 'head'>[] {
  const binding = bindingOf(state);
  if (binding === null) return [];
  return Array.from(awareness.getStates()).flatMap(([key, remote]) => {
    const parsed = key === awareness.clientID ? null : parseState(remote);
    const head = parsed === null ? null : positionOf(binding, state, parsed.head);
    return parsed === null || head === null ? [] : [{ user: parsed.user, head }];
  });
}

function positionOf(binding: PageBinding, { doc }: EditorState, position: Y.RelativePosition): number | null {
  try {
    const at = toAbsolutePosition(binding, doc, position);
    return at === null ? null : Math.min(at, doc.content.size);
  } catch {
    // Yjs throws on an invalid position, and a live update can contain anything.
    return null;
  }
}

export function trackRemoteCarets(awareness: Awareness) {
  const known = new Map<number, TrackedCaret>();

  /** Call after each change of the awareness or the page. A caret whose text has not arrived stays where it was. */
  function read(state: EditorState, now: number): readonly RemoteCaret[] {
    const binding = bindingOf(state);
    if (binding === null) return [];
    const resolve = (position: Y.RelativePosition) => positionOf(binding, state, position);
    const carets: RemoteCaret[] = [];
    const present = new Set<number>();
    for (const [key, remote] of awareness.getStates()) {
      const parsed = key === awareness.clientID ? null : parseState(remote);
      if (parsed === null) continue;
      present.add(key);
      const caret = follow(known.get(key), parsed, resolve, () => clocksOf(binding.doc), now);
      known.set(key, caret);
      if (caret.at === null) continue;
      const threads = caret.threads.flatMap(({ from, to, since }) => {
        const [start, end] = [resolve(from), resolve(to)];
        return start === null || end === null || start >= end ? [] : [{ from: start, to: end, since }];
      });
      const { movedAt, namedUntil } = caret;
      carets.push({ key, user: parsed.user, ...caret.at, movedAt, namedUntil, threads });
    }
    for (const key of known.keys()) if (!present.has(key)) known.delete(key);
    return carets;
  }
  return { read };
}

function follow(
  before: TrackedCaret | undefined,
  { cursor, anchor, head }: Parsed,
  resolve: (position: Y.RelativePosition) => number | null,
  clocksNow: () => ReadonlyMap<number, number>,
  now: number,
): TrackedCaret {
  const [anchorAt, headAt] = [resolve(anchor), resolve(head)];
  const at = anchorAt === null || headAt === null ? null : { anchor: anchorAt, head: headAt };
  const threads = (before?.threads ?? []).filter(({ since }) => now - since < THREAD_MS);
  if (before === undefined) {
    return { cursor, head, at, movedAt: now, clocks: clocksNow(), namedUntil: now + NAMED_MS, threads };
  }
  if (before.cursor === cursor || at === null) return { ...before, at: at ?? before.at, threads };
  const from = resolve(before.head);
  const step = from === null ? JUMP_UNITS + 1 : at.head - from;
  // Typing moves the caret by the length of what was typed. If nothing new is in between, it was an arrow key or End.
  const typed = step > 0 && step <= JUMP_UNITS && at.anchor === at.head && isNew(head, step, before.clocks);
  const last = threads.at(-1);
  if (typed && last !== undefined && now - last.since < JOIN_MS && isSamePosition(last.to, before.head)) {
    threads[threads.length - 1] = { ...last, to: head };
  } else if (typed) threads.push({ from: before.head, to: head, since: now });
  const namedUntil = Math.abs(step) > JUMP_UNITS ? now + NAMED_MS : before.namedUntil;
  return { cursor, head, at, movedAt: now, clocks: clocksNow(), namedUntil, threads };
}

const isSamePosition = (a: Y.RelativePosition, b: Y.RelativePosition): boolean => Y.compareRelativePositions(a, b);

/**
 * True if someone wrote that many characters up to the caret since it last moved. They come from one client, but not
 * surely from the caret's: pressing End after another person typed looks the same.
 */
function isNew({ item }: Y.RelativePosition, units: number, clocks: ReadonlyMap<number, number>): boolean {
  return item !== null && item.clock - units + 1 >= (clocks.get(item.client) ?? 0);
}

const clocksOf = ({ store }: Y.Doc): ReadonlyMap<number, number> =>
  new Map(Array.from(store.clients.keys(), (client) => [client, Y.getState(store, client)]));

type Parsed = {
  readonly cursor: string;
  readonly anchor: Y.RelativePosition;
  readonly head: Y.RelativePosition;
  readonly user: UserId;
};

/** Parses a remote state in the session's format; null for anything else. */
function parseState(state: unknown): Parsed | null {
  if (typeof state !== 'object' || state === null || !('cursor' in state) || !('user' in state)) return null;
  const { cursor } = state;
  const user = typeof state.user === 'string' ? parseUserId(state.user) : null;
  if (user === null || typeof cursor !== 'object' || cursor === null) return null;
  if (!('anchor' in cursor) || !('head' in cursor)) return null;
  try {
    const anchor = Y.createRelativePositionFromJSON(cursor.anchor);
    const head = Y.createRelativePositionFromJSON(cursor.head);
    return { cursor: JSON.stringify(cursor), anchor, head, user };
  } catch {
    return null;
  }
}
