// Finds what others changed since a person's last visit: replays the log from there and compares the page before and after.
import { parseBody } from 'weft-document/body/parse-body.ts';
import { changeSteps } from 'weft-document/changes/change-steps.ts';
import { comparePages } from 'weft-document/changes/compare-pages.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import type * as Y from 'yjs';
import { LostInLogFinder } from './find-lost-text.ts';
import { ownUpdates, withOwnEdits, withoutOwnWords } from './own-edits.ts';
import type { SinceAnswer, SinceJob, Touch } from './since-jobs.ts';

/** Null if the state or a row cannot be applied. */
export function findChanges({ state, seq, seen, snapshot, later, own }: SinceJob): SinceAnswer | null {
  const doc = newDoc(0);
  doc.gc = false;
  const lost = new LostInLogFinder(doc);
  const replica = new Replica(doc, null);
  if (state !== null && !replica.applySnapshot(seq, state)) return null;
  replica.take(seen);
  const ownSessions = new Set(own);
  const updates = ownUpdates(later, ownSessions);
  const before = parseBody(withOwnEdits(doc, updates));
  const touched = replaySinceVisit(doc, replica, { snapshot, later }, ownSessions, lost);
  if (later.length > 0 && replica.seq !== later.at(-1)?.seq) return null;
  const after = parseBody(doc);
  const { blocks, removed, ...words } = withoutOwnWords(comparePages(before, after), doc, updates);
  const byOthers = {
    ...words,
    blocks: blocks.filter(({ key }) => touched.has(key)),
    removed: removed
      .map((group) => ({ ...group, blocks: group.blocks.filter(({ key }) => touched.has(key)) }))
      .filter((group) => group.blocks.length > 0),
  };
  return { ...changeSteps(byOthers, after), touched, lost: lost.found() };
}

type Touched = Map<string, Touch>;

/**
 * Applies the snapshot and the rows after the visit. Returns the blocks that others changed, created or removed, with the newest
 * row that did.
 */
function replaySinceVisit(
  doc: Y.Doc,
  replica: Replica,
  { snapshot, later }: Pick<SinceJob, 'snapshot' | 'later'>,
  own: ReadonlySet<SessionId>,
  lost: LostInLogFinder,
): Touched {
  const body = bodyOf(doc);
  const touched: Touched = new Map();
  let current: Touch | null = null;
  const touch = ({ client, clock }: Y.ID) => {
    if (current !== null) touched.set(`${client}.${clock}`, current);
  };
  body.observeDeep((events, transaction) => {
    for (const type of transaction.changedParentTypes.keys()) {
      if (type.parent === body && type._item !== null) touch(type._item.id);
    }
    for (const event of events) {
      if (event.target !== body) continue;
      for (const { id } of [...event.changes.added, ...event.changes.deleted]) touch(id);
    }
  });
  if (snapshot !== null) {
    current = { at: null, session: null };
    replica.applySnapshot(snapshot.seq, snapshot.state);
  }
  for (const row of later) {
    current = newsIn(row, own);
    lost.begin(row);
    replica.take([row]);
  }
  return touched;
}

/**
 * A row's change as news; null if only this person made it. Dependencies that another person's row brings along count as that
 * person's. Those of an own row are news without an author, because no one can check whose they are. In a compacted row the
 * dependencies were rows of their authors.
 */
function newsIn({ session, firstSeq, dependencies, ...row }: Row, own: ReadonlySet<SessionId>): Touch | null {
  const at = row.at ?? null;
  if (!own.has(session)) return { at, session };
  const other = dependencies.find((part) => !own.has(part.session));
  return other === undefined ? null : { at, session: firstSeq === undefined ? null : other.session };
}
