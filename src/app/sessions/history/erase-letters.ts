// Erases letters of a page for good: reads its whole history, finds the rows that hold them, and has the database overwrite them.
import type { LetterRange } from '../../../document/history/find-passage.ts';
import { type Result, err, ok } from '../../../lib/result.ts';
import type { WeftError } from '../../../protocol/errors.ts';
import type { EraseFailure } from '../../../state/ports/history.ts';
import type { ErasedRow } from '../../../sync/log/erased-rows.ts';
import type { OpenedHistory } from './opened-history.ts';

/** The log can be compacted, or something else be erased, between reading and writing. */
const MAX_TRIES = 3;

type Ports = {
  readonly open: () => OpenedHistory;
  /** False if the rows are others by now. */
  readonly erase: (rows: readonly ErasedRow[]) => Promise<Result<boolean, WeftError>>;
};

export async function eraseLetters(
  letters: readonly LetterRange[],
  { open, erase }: Ports,
): Promise<Result<void, EraseFailure>> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const history = open();
    try {
      await history.refresh();
      const view = history.getView();
      if (view.phase === 'failed')
        return err(view.reason === 'gap' || view.reason === 'tooLarge' ? 'failed' : view.reason);
      const rows = await history.rowsWith(letters);
      if (!rows.ok) return err(rows.error === 'unknownRow' ? 'notSaved' : rows.error);
      if (rows.value.length === 0) return err('failed');
      const answer = await erase(rows.value);
      if (!answer.ok) return answer;
      if (answer.value) return ok(undefined);
    } finally {
      history.close();
    }
  }
  return err('failed');
}
