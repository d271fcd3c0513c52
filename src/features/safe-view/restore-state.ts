// For the safe view: restores the page as it was after a row of the log. Surplus blocks are deleted in slices, because
// they may be too many for one transaction.
import { bodyParts } from 'weft-document/body-parts.ts';
import { deletionsOf } from 'weft-document/body/block-deletions.ts';
import { keyOf } from 'weft-document/body/plain-body.ts';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import { restorationsOf } from 'weft-document/history/restorations.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { Histories, HistoryView, PageHistory } from '../../ports/history.ts';
import type { VersionId } from '../../protocol/ids.ts';
import { textOf } from '../../texts/error-texts.ts';

/**
 * They are inserted at once, and each thousand stops the tab for 10 to 20 ms. A state that needs more is not restored.
 */
const MAX_INSERTED = 10_000;

const TOO_SLOW =
  'Reading this page’s history takes too long for a browser tab. Delete the blocks that don’t belong instead.';
const FAILED = 'The history couldn’t be read. Try again.';
const TOO_LONG = 'That state has too many blocks to bring back here.';

/**
 * Stores the present state as a version first. Resolves with why nothing was restored, or with a function that undoes
 * it.
 */
export async function restoreState(
  { open, nameVersion }: Pick<Histories, 'open' | 'nameVersion'>,
  session: Session,
  { seq, version }: { readonly seq: number; readonly version: VersionId },
): Promise<string | (() => Promise<void>)> {
  const found = await fileAt(open, session.documentId, seq);
  if (typeof found === 'string') return found;
  const named = await nameVersion({
    id: version,
    document: session.documentId,
    seq: found.head,
    name: null,
    kind: 'restore',
  });
  if (!named.ok) return textOf(named.error);
  if (!session.getView().editable) return 'The page can’t be edited now.';
  const { doc } = session;
  const ids = idsOf(found.file);
  const present = new Set<unknown>();
  const others = bodyParts(bodyOf(doc)).flatMap((part) => {
    const id: unknown = part.element?.getAttribute('id');
    if (typeof id !== 'string' || !ids.has(id) || present.has(id)) return [keyOf(part)];
    present.add(id);
    return [];
  });
  if (found.file.body.length - present.size > MAX_INSERTED) return TOO_LONG;
  const [deletions, restorations] = [deletionsOf(doc), restorationsOf(doc)];
  const deleted = await deletions.delete(new Set(others));
  const isChanged = restorations.page(found.file);
  if (!isChanged && deleted === 0) return 'The page is already as it was then.';
  return async () => {
    if (isChanged) restorations.undo();
    if (deleted > 0) await deletions.undo();
  };
}

const idsOf = ({ body }: PageFile): ReadonlySet<unknown> =>
  new Set(body.map((node) => ('node' in node ? node.attributes['id'] : null)));

async function fileAt(
  open: Histories['open'],
  document: DocumentId,
  seq: number,
): Promise<{ readonly file: PageFile; readonly head: number } | string> {
  const history = await open(document).catch(() => null);
  if (history === null) return FAILED;
  try {
    const view = await read(history);
    if (view.phase === 'failed') {
      if (view.reason === 'tooSlow' || view.reason === 'tooLarge') return TOO_SLOW;
      return typeof view.reason === 'string' ? FAILED : textOf(view.reason);
    }
    const file = await history.fileAt(seq);
    if (!file.ok) return file.error === 'tooSlow' ? TOO_SLOW : FAILED;
    return { file: file.value, head: view.head };
  } finally {
    history.close();
  }
}

function read(history: PageHistory): Promise<Exclude<HistoryView, { readonly phase: 'loading' }>> {
  return new Promise((resolve) => {
    let stop = () => undefined as void;
    const look = () => {
      const view = history.getView();
      if (view.phase === 'loading') return;
      stop();
      resolve(view);
    };
    stop = history.subscribe(look);
    look();
  });
}
