// Restores a version of a page, or a part of one: keeps the page as it is now as a version, lets others finish who began to
// restore before this person, and makes the change as one edit.
import type { Atom } from 'jotai/vanilla';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import { type Restorable, type Restored, restorationsOf } from 'weft-document/history/restorations.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { Histories, HistoryFailure, PageHistory } from '../../ports/history.ts';
import type { Version } from '../../protocol/history-answers.ts';
import { newVersionId } from '../../protocol/new-ids.ts';
import { textOf } from '../../texts/error-texts.ts';
import type { AtomStore } from '../store.ts';
import type { OpenPage } from './open-page.ts';

export type RestoreRequest = {
  readonly file: () => Promise<Result<PageFile, HistoryFailure>>;
  readonly what: Restorable;
};

type RestoreParts = {
  readonly store: AtomStore;
  readonly page: Pick<OpenPage, 'documentId' | 'editableAtom'> & {
    readonly sessionAtom: Atom<Pick<Session, 'doc' | 'shownSeq'> | null>;
  };
  readonly histories: Pick<Histories, 'nameVersion' | 'versions'>;
  readonly history: Pick<PageHistory, 'refresh' | 'getView' | 'row'>;
  readonly me: UserId;
};

/** Takes the restore back. Returns an error text, or null. */
type UndoRestore = () => string | null;

/** A restore takes less than a second. Someone who is not done after this time has given up. */
const PATIENCE_MS = 5_000;
const ASK_EVERY_MS = 250;

const NOT_DONE: Readonly<Record<Exclude<Restored, 'changed'>, string>> = {
  stands: 'The page says this already.',
  gone: 'Someone removed this block since. Restore the block first.',
};
const UNREADABLE = 'This version can’t be restored.';
const NOT_EDITABLE = 'The page can’t be edited now.';

/** The error is a text. */
export async function restoreVersion(
  parts: RestoreParts,
  { file, what }: RestoreRequest,
): Promise<Result<UndoRestore, string>> {
  const { store, page } = parts;
  const editable = () => (store.get(page.editableAtom) ? store.get(page.sessionAtom) : null);
  const wanted = await file();
  if (!wanted.ok) return err(UNREADABLE);
  const session = editable();
  if (session === null) return err(NOT_EDITABLE);
  // If nothing would change, the present page needs no version.
  const expected = restorationsOf(session.doc).wouldRestore(wanted.value, what);
  if (expected !== 'changed') return err(NOT_DONE[expected]);
  const problem = await keepPresentPage(parts);
  if (problem !== null) return err(problem);
  // Read it again: it may depend on others' latest edits.
  const found = await file();
  if (!found.ok) return err(UNREADABLE);
  const doc = editable()?.doc;
  if (doc === undefined) return err(NOT_EDITABLE);
  const restorations = restorationsOf(doc);
  const restored = restorations.restore(found.value, what);
  if (restored !== 'changed') return err(NOT_DONE[restored]);
  return ok(() => {
    const now = editable();
    if (now === null) return NOT_EDITABLE;
    // A rebuild replaces the document that Undo needs.
    if (now.doc !== doc) return 'This can’t be undone any more. History has the page as it was, as “Before a restore”.';
    return restorations.undo() ? null : 'This is undone already.';
  });
}

/**
 * Keeps the page as it is as a version, and waits for the edits of others who did so just before. Two people who undo the same
 * vandal at once would otherwise bring the same words back twice. Resolves with an error text, or null.
 */
async function keepPresentPage({ store, page, histories, history, me }: RestoreParts): Promise<string | null> {
  const began = Date.now();
  await history.refresh();
  const view = history.getView();
  if (view.phase !== 'ready') return 'The history couldn’t be read.';
  const document = page.documentId;
  const version = { id: newVersionId(), document, seq: view.head, name: null, kind: 'restore' } as const;
  // The database answers one after the other, so all who restore agree on who was first.
  const made = await histories.nameVersion(version);
  if (!made.ok) return made.error.code === 'WF011' ? 'Can’t reach the server. Try again.' : textOf(made.error);
  const versions = await histories.versions(document);
  const earlier = versions.ok ? versions.value.filter((one) => isRival(one, made.value, me, began)) : [];
  const isDone = () => {
    const now = history.getView();
    if (now.phase !== 'ready') return true;
    const shownSeq = store.get(page.sessionAtom)?.shownSeq ?? 0;
    return shownSeq >= now.head && earlier.every((one) => hasWritten(one, history, now.head));
  };
  while (!isDone() && Date.now() - began < PATIENCE_MS) {
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
    await history.refresh();
  }
  return null;
}

/**
 * Someone else's version of this kind, made just before. A row has only one version of this kind, so `made` itself may be
 * theirs. All times are on this device's clock: the port has converted those of the server.
 */
const isRival = ({ kind, createdBy, createdAt }: Version, made: Version, me: UserId, now: number): boolean =>
  kind === 'restore' && createdBy !== me && createdAt <= made.createdAt && now - createdAt < PATIENCE_MS;

function hasWritten({ seq, createdBy }: Version, history: Pick<PageHistory, 'row'>, head: number): boolean {
  for (let at = seq + 1; at <= head; at++) if (history.row(at)?.by === createdBy) return true;
  return false;
}
