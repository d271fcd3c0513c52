// Opens histories: of a page for someone who may read it, and of a page by link.
import type { Log } from 'weft-sync/ports.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, SessionId, UserId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import { MAX_SESSIONS_ASKED } from 'weft-sync/protocol/limits.ts';
import { unpackSnapshot } from 'weft-sync/snapshot/unpack-snapshot.ts';
import { DeadlineWorker } from '../../lib/async/deadline-worker.ts';
import { type Result, ok } from '../../lib/result.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { supabaseHistory } from '../../platform/supabase/history.ts';
import type { Histories, LinkHistoryView } from '../../ports/history.ts';
import type { HistoryRows, LinkHistory, LinkVersion } from '../../protocol/history-answers.ts';
import { eraser } from './eraser.ts';
import { type HistoryAnswer, type HistoryJob, historyAnswer } from './history-jobs.ts';
import { OpenedHistory } from './opened-history.ts';
import '../../yjs/install.ts';

/** A thousand rows that people wrote take half a second. */
const LIMITS = { deadlineMs: 8_000, shortestDeadlineMs: 2_000, idleMs: 10 * 60_000 };
/** The author of the edits of everyone who deleted their account. */
const DELETED_ACCOUNT = '00000000-0000-0000-0000-000000000000';

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
        for (let at = 0; at < sessions.length; at += MAX_SESSIONS_ASKED) {
          const answer = await log.sessionInfo(document, sessions.slice(at, at + MAX_SESSIONS_ASKED));
          if (!answer.ok) return answer;
          for (const { session, user } of answer.value) if (user !== DELETED_ACCOUNT) authors.set(session, user);
        }
        return ok(authors);
      },
      fromServer,
    },
    newWorker(),
  );

type MemberPorts = Ports & {
  readonly log: Pick<Log, 'open' | 'rowsSince' | 'sessionInfo'>;
} & Pick<ReturnType<typeof supabaseHistory>, 'prepareErasing' | 'eraseHistory'>;

export const memberHistories = (ports: MemberPorts): Pick<Histories, 'open' | 'eraser'> => ({
  open: async (document) => openMemberHistory(document, ports),
  eraser: async (document, characters) =>
    eraser(characters, {
      source: { documentId: document, log: ports.log, unpack: unpackSnapshot },
      prepare: () => ports.prepareErasing(document),
      erase: (page) => ports.eraseHistory(document, page),
    }),
});

type LinkPorts = {
  /** `until`: the last row that is wanted, null for the newest. Answers with the versions if `after` is 0. */
  readonly rows: (secret: LinkSecret, after: number, until: number | null) => Promise<Result<LinkHistory, WeftError>>;
  readonly fromServer: Ports['fromServer'];
};

export function openLinkHistory(secret: LinkSecret, { rows, fromServer }: LinkPorts): LinkHistoryView {
  let versions: readonly LinkVersion[] = [];
  const changes = new Subscribable();
  const take = (answer: LinkHistory) => {
    // The same list keeps its identity, so that nothing is drawn anew.
    if (JSON.stringify(answer.versions) === JSON.stringify(versions)) return;
    ({ versions } = answer);
    changes.notify();
  };
  const history = new OpenedHistory(
    {
      async rows(after) {
        const answer = await rows(secret, after, null);
        if (answer.ok && after === 0) take(answer.value);
        return answer;
      },
      authors: null,
      fromServer,
    },
    newWorker(),
  );
  const refresh = async () => {
    const answer = await rows(secret, 0, 0);
    if (answer.ok) take(answer.value);
  };
  return Object.assign(history, { versions: { get: () => versions, subscribe: changes.subscribe, refresh } });
}
