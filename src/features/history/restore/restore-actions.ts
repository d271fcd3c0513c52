// The restores that a page's history offers, each as the action of a button. It resolves with an error text, or null.
import type { PageFile } from 'weft-document/formats/page-json.ts';
import { type Result, err, ok } from '../../../lib/result.ts';
import { capitalized } from '../../../lib/text/capitalized.ts';
import type { HistoryFailure, PageHistory } from '../../../ports/history.ts';
import type { HistorySource } from '../history-source.ts';
import { inSentence } from '../moments.ts';
import type { MomentState } from '../shown/shown-moment.ts';
import type { ShownPage } from '../shown/shown-page.ts';
import { type Who, possessive } from '../who.ts';
import type { Restore, Restores } from './block-tools.tsx';
import { restorableBlock } from './restorable-block.ts';
import { isSameAsBlock, restorableWords } from './restorable-words.ts';
import type { Restoring } from './use-restore.ts';

type RestoreContext = {
  /** Null for people who may not edit. */
  readonly editing: HistorySource['editing'];
  readonly history: PageHistory;
  readonly head: number;
  readonly momentAt: (seq: number) => string;
};

export const NO_RESTORES: Restores = { words: null, block: null };

export function restoreActions({ editing, history, head, momentAt }: RestoreContext) {
  const restoring =
    (request: Restoring): Restore =>
    () =>
      editing?.restore(request) ?? Promise.resolve(null);
  /** Computed again for the action itself: others may have written since the dialog showed it. */
  const fileWithout = async ({ id }: Who, since: number): Promise<Result<PageFile, HistoryFailure>> => {
    const answer = id === null ? err('failed' as const) : await history.without(id, since);
    return answer.ok ? ok(answer.value.file) : answer;
  };
  return {
    ofPage: (seq: number): Restore =>
      restoring({
        file: () => history.fileAt(seq),
        what: { type: 'page' },
        done: `Restored the version from ${inSentence(momentAt(seq))}.`,
      }),
    /** `key`: the block in the page that is shown. */
    ofBlock({ found }: MomentState, shown: ShownPage | null, key: string, step: number | null): Restores {
      if (editing === null || shown === null) return NO_RESTORES;
      const words = restorableWords(found, shown, key, step);
      const block = words !== null && isSameAsBlock(found, key, head) ? null : restorableBlock(found, key, head);
      return {
        words:
          words &&
          restoring({
            file: () => history.fileAt(words.seq),
            what: { type: 'words', words: words.words },
            done: 'Words restored.',
          }),
        block:
          block &&
          restoring({
            file: () => history.fileAt(block.seq),
            what: { type: 'block', id: block.id },
            done: 'Block restored.',
          }),
      };
    },
    /** The page without what a person wrote after the row `since`. */
    without: (who: Who, since: number): Restore =>
      restoring({
        file: () => fileWithout(who, since),
        what: { type: 'page' },
        done: `${capitalized(possessive(who))} edits are undone.`,
      }),
  };
}
