// Erases words of a page for good: reads the page, and has the database begin its history again without them (HI9).
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import { copiesOf, erasedPage } from 'weft-document/history/erased-page.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { type LogSource, emptyLog, fetchLog } from 'weft-sync/recovery/replay-log.ts';
import { type Result, err, mapped, ok } from '../../lib/result.ts';
import type { ErasedPage } from '../../platform/supabase/history.ts';
import type { EraseFailure, EraseWords } from '../../ports/history.ts';

/** While someone erases nothing is appended, unless reading the page takes longer than that pause. */
const MAX_TRIES = 3;

type Ports = {
  readonly source: LogSource;
  /** Stops appends for a moment. */
  readonly prepare: () => Promise<Result<{ readonly head: number }, WeftError>>;
  readonly erase: (page: ErasedPage) => Promise<Result<{ readonly erased: boolean }, WeftError>>;
};

export function eraser(chosen: readonly CharacterRange[], { source, prepare, erase }: Ports): EraseWords {
  /** Sent again as it is if its answer was lost, because it may have been done. */
  let unanswered: ErasedPage | null = null;
  const send = async (page: ErasedPage): Promise<Result<boolean, WeftError>> => {
    unanswered = page;
    const answer = await erase(page);
    if (!answer.ok && answer.error.code === 'WF011') return answer;
    unanswered = null;
    return mapped(answer, ({ erased }) => erased);
  };
  return async (withCopies) => {
    if (unanswered !== null) {
      const answer = await send(unanswered);
      if (!answer.ok && answer.error.code !== 'WF016') return answer;
      if (answer.ok && answer.value) return ok(undefined);
    }
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const page = await erasedNow(chosen, withCopies, { source, prepare });
      if (!page.ok) return page;
      const answer = await send(page.value);
      if (!answer.ok) return answer;
      if (answer.value) return ok(undefined);
    }
    return err('failed');
  };
}

async function erasedNow(
  chosen: readonly CharacterRange[],
  withCopies: boolean,
  { source, prepare }: Pick<Ports, 'source' | 'prepare'>,
): Promise<Result<ErasedPage, EraseFailure>> {
  const prepared = await prepare();
  if (!prepared.ok) return prepared;
  const page = emptyLog();
  const fetched = await fetchLog(page, source, prepared.value.head);
  if (!fetched.ok) return fetched;
  const { doc, replica } = page;
  if (!chosen.every(([client, clock, length]) => clock + length <= replica.clockInLog(client))) return err('notSaved');
  const copies = withCopies ? (copiesOf(doc, chosen)?.characters ?? []) : [];
  return ok({ seq: replica.seq, at: replica.at, ...erasedPage(doc, [...chosen, ...copies]) });
}
