// A page's history in memory: the real engine without a worker, over a log that a test fills; versions, and the sittings that the
// test names.
import { newAnswerer } from '../../../src/app/sessions/history/answer-question.ts';
import { OpenedHistory } from '../../../src/app/sessions/history/opened-history.ts';
import { PageErasure } from '../../../src/app/sessions/history/page-erasure.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import { type WeftError, weftError } from '../../../src/protocol/errors.ts';
import type { ErasureNote, LinkVersion, Sitting, Version } from '../../../src/protocol/history-answers.ts';
import type { SessionId, UserId } from '../../../src/protocol/ids.ts';
import type { Row } from '../../../src/protocol/row.ts';
import type { ErasedRow } from '../../../src/sync/log/erased-rows.ts';
import type { Histories, LinkHistoryView, OpenLinkHistory } from '../../../src/state/ports/history.ts';

export type MemoryHistory = {
  readonly rows: Row[];
  readonly authors: Map<SessionId, UserId>;
  sittings: readonly Sitting[];
  versions: readonly Version[];
  /** Earlier permanent erasures, the newest first. */
  erasures: readonly ErasureNote[];
  /** The next calls fail with it. */
  error: WeftError | null;
  /** The next calls for the people behind sessions fail with it. */
  authorsError: WeftError | null;
  /** The erasures as the database gets them. */
  readonly erased: { readonly rows: readonly ErasedRow[]; readonly title: string }[];
  /** The database's answer: false if the rows are others by now. */
  areSameRows: boolean;
};

export function memoryHistory(me: UserId, now: () => number) {
  const history: MemoryHistory = {
    rows: [],
    authors: new Map(),
    sittings: [],
    versions: [],
    erasures: [],
    error: null,
    authorsError: null,
    erased: [],
    areSameRows: true,
  };
  const answer = async <T>(value: () => T): Promise<Result<T, WeftError>> =>
    history.error === null ? ok(value()) : err(history.error);
  const answerAuthors = () => (history.authorsError === null ? ok(history.authors) : err(history.authorsError));
  const open = (knowsAuthors: boolean): OpenedHistory => {
    const answerer = newAnswerer();
    return new OpenedHistory(
      {
        rows: (after) =>
          answer(() => ({
            rows: history.rows.slice(after),
            head: history.rows.length,
            more: false,
            schemaVersion: 1,
            putBack: [],
            erasures: history.erasures.map((one) => (knowsAuthors ? one : { ...one, by: null })),
          })),
        authors: knowsAuthors ? async () => answerAuthors() : null,
        fromServer: (at) => at,
      },
      { run: async (job) => ok(answerer(job)), close: () => undefined },
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
    openErasure: async (_document, letters) =>
      new PageErasure(letters, {
        open: () => open(true),
        erase: ({ rows, title }) =>
          answer(() => {
            history.erased.push({ rows, title });
            return { erased: history.areSameRows, head: history.rows.length };
          }),
      }),
    removeVersion: (id) => answer(() => void (history.versions = history.versions.filter((one) => one.id !== id))),
  };
  const openLinkHistory: OpenLinkHistory = async (): Promise<LinkHistoryView> =>
    Object.assign(open(false), {
      versions: linkVersions(() => history.versions),
    });
  return { history, histories, openLinkHistory };
}

function linkVersions(all: () => readonly Version[]): LinkHistoryView['versions'] {
  const changes = new Subscribable();
  const read = (): readonly LinkVersion[] => all().map(({ id, seq, name, kind }) => ({ id, seq, name, kind }));
  let versions = read();
  return {
    get: () => versions,
    subscribe: changes.subscribe,
    async refresh() {
      versions = read();
      changes.notify();
    },
  };
}
