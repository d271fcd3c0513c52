// Reads a page once by its link, without a session, and only if one answer has all of it: for the first text of a link, which
// `src/app/text-first.tsx` shows until the app does.
import type { SnapshotMaker } from 'weft-sync/ports.ts';
import { parseAnswer } from 'weft-sync/protocol/answers.ts';
import { watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import { emptyLog, takeSnapshot } from 'weft-sync/recovery/replay-log.ts';
import type * as Y from 'yjs';
import { SCHEMA_VERSION } from '../protocol/limits.ts';
import '../yjs/install.ts';

/** `changedAt` in milliseconds since 1970. */
export type PageByLink = { readonly title: string; readonly changedAt: number; readonly doc: Y.Doc };

/**
 * `answer` is what `open_watch` says of all rows. Null for a link that asks to sign in, for a page that this version of the app
 * cannot show, and if the answer is not whole or damaged.
 */
export async function readByLink(answer: unknown, unpack: SnapshotMaker['unpack']): Promise<PageByLink | null> {
  const parsed = parseAnswer(watchAnswer, answer);
  if (!parsed.ok) return null;
  const { title, role, changedAt, schemaVersion, snapshot, rows, more } = parsed.value;
  if (role !== 'viewer' || more || schemaVersion > SCHEMA_VERSION) return null;
  const { doc, replica } = emptyLog();
  const isTaken = await takeSnapshot(replica, snapshot, unpack, snapshot?.sha256);
  if (isTaken && !replica.take(rows).isOther) return { title, changedAt, doc };
  doc.destroy();
  return null;
}
