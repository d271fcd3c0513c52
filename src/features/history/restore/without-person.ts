// The preview of undoing one person's edits since a moment: the page without them. Marks show the words that this would
// remove and bring back.
import { comparePages } from 'weft-document/changes/compare-pages.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { type Result, ok } from '../../../lib/result.ts';
import type { HistoryFailure, PageHistory } from '../../../ports/history.ts';
import { changesPage } from '../shown/changes-page.ts';
import { type ShownPage, plainPage } from '../shown/shown-page.ts';

/** A longer page takes too long to compare here, outside of the worker: it is shown without marks. */
const MAX_BLOCKS = 1_000;

export async function withoutPerson(
  history: PageHistory,
  person: UserId,
  since: number,
  head: number,
): Promise<Result<ShownPage, HistoryFailure>> {
  const [answer, now] = await Promise.all([history.without(person, since), history.pageAt(head)]);
  if (!answer.ok) return answer;
  if (!now.ok) return now;
  const { page } = answer.value;
  if (Math.max(page.blocks.length, now.value.blocks.length) > MAX_BLOCKS) return ok(plainPage(page.title, page.blocks));
  const changes = comparePages(now.value.blocks, page.blocks);
  const compared = {
    page,
    before: now.value,
    changes,
    authors: new Map(),
    blockContributions: new Map(),
    removals: new Map(),
    blockRemovals: new Map(),
  };
  return ok(changesPage(compared, () => ({ says: 'this undo', short: '', dye: null })));
}
