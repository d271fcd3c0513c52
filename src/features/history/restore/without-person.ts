// The page without what one person did since some moment, with what that takes away and brings back marked.
import { comparePages } from '../../../document/changes/compare-pages.ts';
import type { PageFile } from '../../../document/formats/page-json.ts';
import type { UserId } from '../../../protocol/ids.ts';
import type { HistoryFailure, PageHistory } from '../../../state/ports/history.ts';
import { type Result, ok } from '../../../lib/result.ts';
import { changesPage } from '../shown/changes-page.ts';
import { type ShownPage, plainPage } from '../shown/shown-page.ts';

/** A longer page takes too long to compare here, outside of the worker: it is shown without marks. */
const MAX_BLOCKS = 1_000;

export type WithoutPerson = { readonly shown: ShownPage; readonly file: PageFile };

export async function withoutPerson(
  history: PageHistory,
  person: UserId,
  since: number,
  head: number,
): Promise<Result<WithoutPerson, HistoryFailure>> {
  const [answer, now] = await Promise.all([history.without(person, since), history.pageAt(head)]);
  if (!answer.ok) return answer;
  if (!now.ok) return now;
  const { page, file } = answer.value;
  if (Math.max(page.blocks.length, now.value.blocks.length) > MAX_BLOCKS)
    return ok({ shown: plainPage(page.title, page.blocks), file });
  const changes = comparePages(now.value.blocks, page.blocks);
  const compared = {
    page,
    before: now.value,
    changes,
    authors: new Map(),
    blockDeeds: new Map(),
    removals: new Map(),
    blockRemovals: new Map(),
  };
  return ok({ shown: changesPage(compared, () => ({ says: 'this undo', short: '', dye: null })), file });
}
