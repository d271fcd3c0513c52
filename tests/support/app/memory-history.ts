// A page's history in memory: the real engine without a worker, over a log that a test fills; versions, and the editing sessions
// that the test names.
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { SessionId, UserId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { JobFailure } from '../../../src/lib/async/deadline-worker.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import type { EraseFailure, Histories, LinkHistoryView, OpenLinkHistory } from '../../../src/ports/history.ts';
import type { Beginning, EditingSession, LinkVersion, Version } from '../../../src/protocol/history-answers.ts';
import { newAnswerer } from '../../../src/sessions/history/answer-question.ts';
import { OpenedHistory } from '../../../src/sessions/history/opened-history.ts';

export type MemoryHistory = {
  readonly rows: Row[];
  readonly authors: Map<SessionId, UserId>;
  editingSessions: readonly EditingSession[];
  versions: readonly Version[];
  /** How the history began again. */
  beginning: Beginning | null;
  /** The next calls fail with it. */
  error: WeftError | null;
  /** The next calls for the people behind sessions fail with it. */
  authorsError: WeftError | null;
  /** The worker's next jobs fail with it. */
  jobFailure: JobFailure | null;
  /** The next erasures fail with it. */
  eraseFailure: EraseFailure | null;
  readonly erased: { readonly characters: readonly CharacterRange[]; readonly withCopies: boolean }[];
};

export function memoryHistory(me: UserId, now: () => number) {
  const history: MemoryHistory = {
    rows: [],
    authors: new Map(),
    editingSessions: [],
    versions: [],
    beginning: null,
    error: null,
    authorsError: null,
    jobFailure: null,
    eraseFailure: null,
    erased: [],
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
            rows: history.rows.filter(({ seq }) => seq > after),
            head: history.rows.at(-1)?.seq ?? 0,
            more: false,
            schemaVersion: 1,
            putBack: [],
            beginning:
              history.beginning && (knowsAuthors ? history.beginning : { ...history.beginning, by: null, authors: [] }),
          })),
        authors: knowsAuthors ? async () => answerAuthors() : null,
        fromServer: (at) => at,
      },
      {
        run: async (job) => (history.jobFailure === null ? ok(answerer(job)) : err(history.jobFailure)),
        close: () => undefined,
      },
    );
  };
  const histories: Histories = {
    open: async () => open(true),
    editingSessions: (_document, before, person) =>
      answer(() =>
        history.editingSessions.filter(
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
    eraser: async (_document, characters) => async (withCopies) => {
      if (history.eraseFailure !== null) return err(history.eraseFailure);
      history.erased.push({ characters, withCopies });
      return ok(undefined);
    },
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
