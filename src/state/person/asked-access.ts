// This person's request for access to a page. The server tells no one whether a page exists, so this device remembers the
// request; the answer comes as a notification.
import { type Atom, atom } from 'jotai/vanilla';
import * as v from 'valibot';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import { type Result, ok } from '../../lib/result.ts';
import type { ListCache } from '../../ports/device.ts';
import type { Inbox, PageAccess } from '../../ports/workspace.ts';
import type { ShareLink, WorkspaceChange } from '../../protocol/answers.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';

export interface AskedAccess {
  /** `unknown`: this device has not been read yet. */
  readonly atom: Atom<'unknown' | 'none' | 'asked' | 'denied'>;
  /** The name of the person who answered the last request; null if no one did or it is not known. Shown while `denied`. */
  readonly deniedByAtom: Atom<string | null>;
  /** Reads what this device remembers, and looks for the answer until it is cancelled. */
  readonly follow: () => Cancel;
  readonly ask: (role: ShareLink['role'], note: string) => Promise<Result<void, WeftError>>;
  readonly withdraw: () => Promise<Result<void, WeftError>>;
}

const CACHE_KEY = 'asked-access';
/** An older request counts as forgotten: it can be made again. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;
/** The answer is looked for among this many of the newest notifications. */
const RECENT = 30;
/** After a denial the server ignores further requests for this long. */
const DENIED_MS = 24 * 60 * 60 * 1_000;
const storedRequests = v.record(v.string(), v.number());

export function askedAccess(options: {
  readonly document: DocumentId;
  readonly store: AtomStore;
  readonly access: Pick<PageAccess, 'request' | 'withdrawRequest'>;
  readonly inbox: Pick<Inbox, 'list'>;
  readonly listCache: Pick<ListCache, 'load' | 'save'>;
  readonly timing: Pick<Timing, 'now'>;
  /** Null: changes may have been missed. */
  readonly onChange: (run: (change: WorkspaceChange | null) => void) => Cancel;
}): AskedAccess {
  const { document, store, access, listCache } = options;
  const stateAtom = atom<'unknown' | 'none' | 'asked' | 'denied'>('unknown');
  const deniedByAtom = atom<string | null>(null);

  const stored = async () => parseOrNull(storedRequests, await listCache.load(CACHE_KEY)) ?? {};
  const remember = async (askedAt: number | null) => {
    const { [document]: _, ...others } = await stored();
    await listCache.save(CACHE_KEY, askedAt === null ? others : { ...others, [document]: askedAt });
  };
  /** Null: not answered yet, or the server does not say now. */
  const answerSince = async (askedAt: number): Promise<'granted' | 'denied' | null> => {
    const list = await options.inbox.list(null, RECENT);
    const answer = list.ok
      ? list.value.notifications.find((one) => one.kind === 'answered' && one.document === document && one.at > askedAt)
      : undefined;
    if (answer === undefined) return null;
    store.set(deniedByAtom, answer.actorName);
    return (answer.detail.role ?? null) === null ? 'denied' : 'granted';
  };
  const lookForAnswer = async () => {
    const before = store.get(stateAtom);
    const askedAt = (await stored())[document];
    if (askedAt === undefined || askedAt < options.timing.now() - REMEMBERED_MS) {
      if (before !== 'unknown') return;
      // The answer may have come to another device, or before a reload.
      const answer = await answerSince(options.timing.now() - DENIED_MS);
      if (store.get(stateAtom) === before) store.set(stateAtom, answer === 'denied' ? 'denied' : 'none');
      return;
    }
    const answer = await answerSince(askedAt);
    // They asked or withdrew meanwhile.
    if (store.get(stateAtom) !== before) return;
    store.set(stateAtom, answer === null ? 'asked' : answer === 'denied' ? 'denied' : 'none');
    // Someone who had access and lost it may ask again.
    if (answer !== null) await remember(null);
  };

  return {
    atom: stateAtom,
    deniedByAtom,
    follow() {
      void lookForAnswer();
      return options.onChange((change) => {
        if (change === null || change.kind === 'notification' || change.kind === 'request') void lookForAnswer();
      });
    },
    async ask(role, note) {
      const askedAt = options.timing.now();
      const answer = await access.request(document, role, note);
      if (!answer.ok) return answer;
      store.set(stateAtom, 'asked');
      await remember(askedAt);
      return ok(undefined);
    },
    async withdraw() {
      const answer = await access.withdrawRequest(document);
      if (!answer.ok) return answer;
      store.set(stateAtom, 'none');
      await remember(null);
      return ok(undefined);
    },
  };
}
