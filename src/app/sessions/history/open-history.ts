// Opens histories: of a page for somebody who may read it, and of a page by link.
import { DeadlineWorker } from '../../../lib/deadline-worker.ts';
import { type Result, ok } from '../../../lib/result.ts';
import type { WeftError } from '../../../protocol/errors.ts';
import type { HistoryRows, LinkHistory, LinkVersion } from '../../../protocol/history-answers.ts';
import type { DocumentId, LinkSecret, SessionId, UserId } from '../../../protocol/ids.ts';
import type { Histories, LinkHistoryView } from '../../../state/ports/history.ts';
import type { ErasedRow } from '../../../sync/log/erased-rows.ts';
import type { Log } from '../../../sync/ports.ts';
import { eraseLetters } from './erase-letters.ts';
import { type HistoryAnswer, type HistoryJob, historyAnswer } from './history-jobs.ts';
import { OpenedHistory } from './opened-history.ts';

/** A thousand rows that people wrote take half a second. */
const LIMITS = { deadlineMs: 8_000, shortestDeadlineMs: 2_000, idleMs: 10 * 60_000 };
/** As many as `session_info` names at once. */
const MAX_SESSIONS = 1000;
/** The author of everybody's edits who deleted their account. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Each history has a worker of its own: it holds the whole page. */
const newWorker = () =>
  new DeadlineWorker<HistoryJob, HistoryAnswer>(
    () => new Worker(new URL('./history-worker.ts', import.meta.url), { type: 'module', name: 'weft-history' }),
    historyAnswer,
    LIMITS,
  );

type Ports = {
  readonly rows: (document: DocumentId, after: number) => Promise<Result<HistoryRows, WeftError>>;
  readonly log: Pick<Log, 'sessionInfo'>;
  readonly fromServer: (at: number) => number;
};

const openMemberHistory = (document: DocumentId, { rows, log, fromServer }: Ports): OpenedHistory =>
  new OpenedHistory(
    {
      rows: (after) => rows(document, after),
      async authors(sessions) {
        const authors = new Map<SessionId, UserId>();
        for (let at = 0; at < sessions.length; at += MAX_SESSIONS) {
          const answer = await log.sessionInfo(document, sessions.slice(at, at + MAX_SESSIONS));
          for (const { session, user } of answer.ok ? answer.value : [])
            if (user !== NOBODY) authors.set(session, user);
        }
        return authors;
      },
      fromServer,
    },
    newWorker(),
  );

type MemberPorts = Ports & {
  readonly eraseText: (
    id: string,
    document: DocumentId,
    rows: readonly ErasedRow[],
  ) => Promise<Result<boolean, WeftError>>;
};

export const memberHistories = (ports: MemberPorts): Pick<Histories, 'open' | 'erase'> => ({
  open: async (document) => openMemberHistory(document, ports),
  erase: (id, document, letters) =>
    eraseLetters(letters, {
      open: () => openMemberHistory(document, ports),
      erase: (rows) => ports.eraseText(id, document, rows),
    }),
});

export function openLinkHistory(
  secret: LinkSecret,
  {
    rows,
    fromServer,
  }: {
    readonly rows: (secret: LinkSecret, after: number) => Promise<Result<LinkHistory, WeftError>>;
    readonly fromServer: Ports['fromServer'];
  },
): LinkHistoryView {
  let versions: readonly LinkVersion[] = [];
  const history = new OpenedHistory(
    {
      async rows(after) {
        const answer = await rows(secret, after);
        if (!answer.ok) return answer;
        if (after === 0) ({ versions } = answer.value);
        return ok(answer.value);
      },
      authors: null,
      fromServer,
    },
    newWorker(),
  );
  return Object.assign(history, { versions: () => versions });
}
