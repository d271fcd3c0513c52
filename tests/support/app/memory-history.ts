// A page's history in memory: the real engine without a worker, over a log that a test fills; versions, and the sittings that the
// test names.
import { answerJob } from '../../../src/app/sessions/history/answer-question.ts';
import { eraseLetters } from '../../../src/app/sessions/history/erase-letters.ts';
import { OpenedHistory } from '../../../src/app/sessions/history/opened-history.ts';
import { PageLog } from '../../../src/app/sessions/history/page-log.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { type WeftError, weftError } from '../../../src/protocol/errors.ts';
import type { LinkVersion, Sitting, Version } from '../../../src/protocol/history-answers.ts';
import type { SessionId, UserId } from '../../../src/protocol/ids.ts';
import type { Row } from '../../../src/protocol/row.ts';
import type { ErasedRow } from '../../../src/sync/log/erased-rows.ts';
import type { Histories, LinkHistoryView, OpenLinkHistory } from '../../../src/state/ports/history.ts';

export type MemoryHistory = {
  readonly rows: Row[];
  readonly authors: Map<SessionId, UserId>;
  sittings: readonly Sitting[];
  versions: readonly Version[];
  /** The next calls fail with it. */
  error: WeftError | null;
  /** What was erased, as the database gets it. */
  readonly erased: (readonly ErasedRow[])[];
  /** What the database answers: false if the rows are others by now. */
  areSameRows: boolean;
};

export function memoryHistory(me: UserId, now: () => number) {
  const history: MemoryHistory = {
    rows: [],
    authors: new Map(),
    sittings: [],
    versions: [],
    error: null,
    erased: [],
    areSameRows: true,
  };
  const answer = async <T>(value: () => T): Promise<Result<T, WeftError>> =>
    history.error === null ? ok(value()) : err(history.error);
  const open = (knowsAuthors: boolean): OpenedHistory => {
    const log = new PageLog();
    return new OpenedHistory(
      {
        rows: (after) =>
          answer(() => ({
            rows: history.rows.slice(after),
            head: history.rows.length,
            more: false,
            schemaVersion: 1,
          })),
        authors: knowsAuthors ? async () => history.authors : null,
        fromServer: (at) => at,
      },
      { run: async (job) => ok(answerJob(log, job)), close: () => undefined },
    );
  };
  const histories: Histories = {
    open: async () => open(true),
    sittings: (_document, before, person) =>
      answer(() =>
        history.sittings.filter(
          ({ toSeq, authors }) => (before === null || toSeq < before) && (person === null || authors.includes(person)),
        ),
      ),
    versions: () => answer(() => history.versions),
    nameVersion: (version) =>
      answer(() => {
        const made = { ...version, createdBy: me, createdAt: now(), at: now() };
        history.versions = [made, ...history.versions];
        return made;
      }),
    async renameVersion(id, name) {
      const found = history.versions.find((one) => one.id === id);
      if (found === undefined) return err(weftError('WF001'));
      const renamed = { ...found, name };
      history.versions = history.versions.map((one) => (one === found ? renamed : one));
      return answer(() => renamed);
    },
    erase: (_id, _document, letters) =>
      eraseLetters(letters, {
        open: () => open(true),
        erase: (rows) =>
          answer(() => {
            history.erased.push(rows);
            return history.areSameRows;
          }),
      }),
    removeVersion: (id) => answer(() => void (history.versions = history.versions.filter((one) => one.id !== id))),
  };
  const openLinkHistory: OpenLinkHistory = async (): Promise<LinkHistoryView> =>
    Object.assign(open(false), {
      versions: (): readonly LinkVersion[] =>
        history.versions.map(({ id, seq, name, kind }) => ({ id, seq, name, kind })),
    });
  return { history, histories, openLinkHistory };
}
