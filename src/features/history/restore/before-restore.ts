// Before a restore: keeps the present page as a version, and lets others finish who began to restore before this person. Two
// people who undo the same vandal at once would otherwise bring the same words back twice.
import { textOf } from '../../../texts/error-texts.ts';
import type { Version } from '../../../protocol/history-answers.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { newVersionId } from '../../../protocol/new-ids.ts';
import type { Histories, PageHistory } from '../../../ports/history.ts';

/** A restore takes less than a second. Someone who is not done after this time has given up. */
const PATIENCE_MS = 5_000;
const ASK_EVERY_MS = 250;

type Ports = {
  readonly histories: Pick<Histories, 'nameVersion' | 'versions'>;
  readonly history: Pick<PageHistory, 'refresh' | 'getView' | 'row'>;
  readonly document: DocumentId;
  readonly me: UserId;
  /** The newest row that the open page contains. */
  readonly shownSeq: () => number;
};

/** Resolves with an error text, or null. */
export async function beforeRestore(ports: Ports): Promise<string | null> {
  const { histories, history, document } = ports;
  const began = Date.now();
  await history.refresh();
  const view = history.getView();
  if (view.phase !== 'ready') return 'The history couldn’t be read.';
  const version = { id: newVersionId(), document, seq: view.head, name: null, kind: 'restore' } as const;
  // The database answers one after the other, so all who restore agree on who was first.
  const made = await histories.nameVersion(version);
  if (!made.ok) return made.error.code === 'WF011' ? 'Can’t reach the server. Try again.' : textOf(made.error);
  const versions = await histories.versions(document);
  const earlier = versions.ok ? versions.value.filter((one) => isRival(one, made.value, ports.me, began)) : [];
  const isDone = () => {
    const now = history.getView();
    return (
      now.phase !== 'ready' ||
      (ports.shownSeq() >= now.head && earlier.every((one) => hasWritten(one, history, now.head)))
    );
  };
  while (!isDone() && Date.now() - began < PATIENCE_MS) {
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
    await history.refresh();
  }
  return null;
}

/** Someone else's version of the same kind, made just before this one. For a row there is one: then it is theirs. */
const isRival = ({ kind, createdBy, createdAt }: Version, made: Version, me: UserId, now: number): boolean =>
  kind === 'restore' && createdBy !== me && createdAt <= made.createdAt && now - createdAt < PATIENCE_MS;

function hasWritten({ seq, createdBy }: Version, history: Pick<PageHistory, 'row'>, head: number): boolean {
  for (let at = seq + 1; at <= head; at++) if (history.row(at)?.by === createdBy) return true;
  return false;
}
