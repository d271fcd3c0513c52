// The history of one page while someone looks at it: reads all rows of its log, keeps them, and asks a worker. A new worker
// gets the rows again.
import * as v from 'valibot';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { firstSeqOf } from 'weft-sync/protocol/first-seq.ts';
import { SEED_SESSION, type SessionId, type UserId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { bytesOf } from 'weft-sync/state/replica.ts';
import type { DeadlineWorker, JobFailure } from '../../lib/async/deadline-worker.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { mapValues } from '../../lib/lists/map-values.ts';
import { type Result, err, mapped, ok } from '../../lib/result.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type {
  AuthoredTexts,
  Contribution,
  HistoryChanges,
  HistoryFailure,
  HistoryView,
  PageAtMoment,
  PageHistory,
  TimelineColumn,
} from '../../ports/history.ts';
import type { Beginning, HistoryRows } from '../../protocol/history-answers.ts';
import { SCHEMA_VERSION } from '../../protocol/limits.ts';
import type { Answers, Contributions, HistoryAnswer, HistoryJob, Question } from './history-jobs.ts';
import type { LogContribution } from './page-log.ts';

export type HistoryCalls = {
  readonly rows: (after: number) => Promise<Result<HistoryRows, WeftError>>;
  /** The people behind sessions. Null if the reader may not know: then nothing counts as passed on either. */
  readonly authors:
    | ((sessions: readonly SessionId[]) => Promise<Result<ReadonlyMap<SessionId, UserId>, WeftError>>)
    | null;
  /** Turns a time of the server into one of this device. */
  readonly fromServer: (at: number) => number;
};

type Answer<T> = Promise<Result<T, HistoryFailure>>;
type WorkerFailure = 'tooSlow' | 'failed';

type ReadLog = {
  /** By their numbers. A compacted row is at each number that it replaces. */
  readonly rows: Row[];
  bytes: number;
  /** How the history began again, if it did. */
  beginning: Beginning | null;
  /** By row: who put it back, unless that account is deleted. */
  readonly putBackBy: Map<number, UserId | null>;
};

/** No one can have written more by hand; a page of 20,000 rows has 2 MB. */
const MAX_BYTES = 256 * 1024 * 1024;
/** This many rows are replayed at once: 0.1 to 0.5 s. */
const ROWS_PER_JOB = 1000;
const BYTES_PER_JOB = 2 * 1024 * 1024;
/** A question fails if the worker turns out to lack rows this many times. */
const MAX_TRIES = 3;

export class OpenedHistory implements PageHistory {
  readonly #source: HistoryCalls;
  readonly #worker: Pick<DeadlineWorker<HistoryJob, HistoryAnswer>, 'run' | 'close'>;
  readonly #changes = new Subscribable();
  #log: ReadLog = emptyLog();
  readonly #authors = new Map<SessionId, UserId | null>();
  #view: HistoryView = { phase: 'loading', rows: 0, head: null };
  #isClosed = false;
  #reading: Promise<void> | null = null;

  constructor(source: HistoryCalls, worker: Pick<DeadlineWorker<HistoryJob, HistoryAnswer>, 'run' | 'close'>) {
    this.#source = source;
    this.#worker = worker;
    void this.refresh();
  }

  readonly getView = (): HistoryView => this.#view;
  readonly subscribe = (run: () => void): Cancel => this.#changes.subscribe(run);

  readonly refresh = (): Promise<void> =>
    (this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    }));

  readonly close = (): void => {
    this.#isClosed = true;
    this.#worker.close();
  };

  readonly row = (seq: number): Contribution | null => {
    const row = this.#rows[seq - 1];
    if (row === undefined) return null;
    // A relay has no part of its own.
    const part = row.nTo > 0 || seq === 1 ? row : (row.dependencies[0] ?? row);
    const via = part === row ? null : row.session;
    const contribution = this.#contributionOf({ seq, at: row.at ?? null, session: part.session, via });
    return row.firstAt === undefined ? contribution : { ...contribution, from: this.#source.fromServer(row.firstAt) };
  };

  readonly pageAt = async (seq: number): Answer<PageAtMoment> =>
    mapped(await this.#ask({ kind: 'page', seq }), (page) => ({ seq, ...page }));

  readonly authors = async (seq: number) =>
    mapped(await this.#ask({ kind: 'authors', seq }), ({ page, authors, contributions }) => ({
      page: { seq, ...page },
      authors: authoredTexts(authors, this.#contributionsIn(contributions)),
    }));

  readonly changes = async (from: number, to: number): Answer<HistoryChanges> =>
    mapped(await this.#ask({ kind: 'changes', from, to }), (found) => {
      const contribution = this.#contributionsIn(found.contributions);
      return {
        page: { seq: to, ...found.page },
        before: { seq: from, ...found.before },
        changes: found.changes,
        authors: authoredTexts(found.authors, contribution),
        blockContributions: mapValues(found.blockContributions, contribution),
        removals: mapValues(found.removals, (parts) =>
          mapValues(parts, (takers) => takers.map((index) => (index === null ? null : contribution(index)))),
        ),
        blockRemovals: mapValues(found.blockRemovals, contribution),
      };
    });

  readonly wordsOf = ({ fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number }) =>
    this.#ask({ kind: 'words', fromSeq, toSeq });

  readonly timeline = async (columns: number): Answer<readonly TimelineColumn[]> =>
    mapped(await this.#ask({ kind: 'timeline', columns }), (found) =>
      found.map(({ session, seq, height, from, ...column }) => ({
        ...column,
        from: this.#source.fromServer(from),
        height: HEIGHTS[height - 1] ?? 7,
        by: this.#authorOf({ seq, session }),
      })),
    );

  readonly fileAt = (seq: number) => this.#ask({ kind: 'file', seq });

  readonly without = async (person: UserId, since: number) => {
    const sessions = Array.from(this.#authors).flatMap(([session, user]) => (user === person ? [session] : []));
    return mapped(await this.#ask({ kind: 'without', sessions, since }), ({ page, file }) => ({
      page: { seq: this.#rows.length, ...page },
      file,
    }));
  };

  async #read(): Promise<void> {
    if (this.#view.phase === 'failed') this.#show({ phase: 'loading', rows: this.#rows.length, head: null });
    let skipped: readonly number[] = this.#view.phase === 'ready' ? this.#view.skipped : [];
    let log = this.#log;
    for (;;) {
      const answer = await this.#source.rows(log.rows.length);
      if (this.#isClosed) return;
      if (!answer.ok) return this.#failed(answer.error);
      const { more, head, schemaVersion, beginning } = answer.value;
      if (log.rows.length > 0 && beginning?.seq !== log.beginning?.seq) {
        // The old rows stay on the screen until all new ones are here.
        log = emptyLog();
        continue;
      }
      log.beginning ??= beginning && { ...beginning, at: this.#source.fromServer(beginning.at) };
      const failure = take(log, answer.value);
      if (failure !== null) return this.#show({ phase: 'failed', reason: failure });
      if (log !== this.#log) {
        if (more) continue;
        this.#log = log;
        this.#sent = 0;
        skipped = [];
        await this.#worker.run({ kind: 'restart' });
      }
      const taken = await this.#send(skipped);
      if (this.#isClosed) return;
      if (!taken.ok) return this.#show({ phase: 'failed', reason: taken.error });
      skipped = taken.value;
      if (more) {
        if (this.#view.phase === 'loading') this.#show({ phase: 'loading', rows: this.#rows.length, head });
        continue;
      }
      const learned = await this.#learnAuthors();
      if (this.#isClosed) return;
      // Without names everyone would be "someone" for as long as the history is open.
      if (!learned.ok) return this.#failed(learned.error);
      return this.#show({
        phase: 'ready',
        head: this.#rows.length,
        skipped,
        isNewer: schemaVersion > SCHEMA_VERSION,
        beginning: log.beginning,
      });
    }
  }

  #failed(reason: WeftError): void {
    // The rows read so far stay on the screen while the server is away.
    if (this.#view.phase === 'ready' && reason.code === 'WF011') return;
    this.#show({ phase: 'failed', reason });
  }

  get #rows(): readonly Row[] {
    return this.#log.rows;
  }

  /** Brings all rows to the worker, and returns those that it skipped. */
  async #send(skipped: readonly number[], from = this.#sent): Promise<Result<readonly number[], WorkerFailure>> {
    let latest = skipped;
    for (let at = from; at < this.#rows.length;) {
      const chunk = this.#chunk(at);
      const answer = await this.#worker.run({ kind: 'rows', rows: chunk });
      if (!answer.ok) return err(failureOf(answer.error));
      if (answer.value.kind !== 'has') return err('failed');
      latest = answer.value.skipped;
      // The worker may be a new one.
      at = answer.value.seq;
      this.#sent = at;
      // A worker that has rows and takes none of the next ones would get them for ever; an empty one gets all rows again.
      if (at < (chunk[0]?.seq ?? 1) && at > 0) return err('failed');
    }
    return ok(latest);
  }

  /** How many rows the worker has, by its last answer. */
  #sent = 0;

  #chunk(from: number): readonly Row[] {
    const chunk: Row[] = [];
    let bytes = 0;
    for (let row = this.#rows[from]; row !== undefined; row = this.#rows[row.seq]) {
      if (chunk.length >= ROWS_PER_JOB || bytes >= BYTES_PER_JOB) break;
      chunk.push(row);
      bytes += bytesOf(row);
    }
    return chunk;
  }

  async #learnAuthors(): Promise<Result<void, WeftError>> {
    const { authors } = this.#source;
    if (authors === null) return ok(undefined);
    const unknown = new Set<SessionId>();
    for (const row of this.#rows)
      for (const { session } of [row, ...row.dependencies]) if (!this.#authors.has(session)) unknown.add(session);
    if (unknown.size === 0) return ok(undefined);
    const found = await authors(Array.from(unknown));
    if (!found.ok) return found;
    for (const session of unknown) this.#authors.set(session, found.value.get(session) ?? null);
    return ok(undefined);
  }

  async #ask<Kind extends Question['kind']>(question: Extract<Question, { kind: Kind }>): Answer<Answers[Kind]> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      // The spread of a generic loses its kind.
      const job = { ...question, known: this.#rows.length } as HistoryJob;
      const answer = await this.#worker.run(job);
      if (!answer.ok) return err(failureOf(answer.error));
      if (answer.value.kind === 'unknownRow') return err('unknownRow');
      if (answer.value.kind === 'value') {
        const value = v.safeParse(valueOf<Answers[Kind]>(), answer.value.value);
        return value.success ? ok(value.output) : err('failed');
      }
      const sent = await this.#send([], answer.value.seq);
      if (!sent.ok) return sent;
    }
    return err('failed');
  }

  #contributionOf({ seq, at, session, via }: LogContribution): Contribution {
    const [by, from] = [via ?? session, session].map((one) => this.#authorOf({ seq, session: one }));
    const contribution = { seq, at: at === null ? null : this.#source.fromServer(at), by: by ?? null };
    const isPassedOn = this.#source.authors !== null && via !== null && (from === null || from !== by);
    return isPassedOn ? { ...contribution, passedOnFrom: from ?? null } : contribution;
  }

  /** For a row that was put back, the person who put it back: the row does not say who wrote what is in it. */
  #authorOf({ seq, session }: Pick<LogContribution, 'seq' | 'session'>): UserId | null {
    if (session === SEED_SESSION && seq > 1) return this.#log.putBackBy.get(seq) ?? null;
    return this.#authors.get(session) ?? null;
  }

  /** One object for each contribution: views cache their text for it by this object. */
  #contributionsIn(contributions: Contributions): (index: number) => Contribution {
    const known = mapValues(contributions, (contribution) => this.#contributionOf(contribution));
    return (index) => known.get(index) ?? UNKNOWN_CONTRIBUTION;
  }

  #show(view: HistoryView): void {
    this.#view = view;
    this.#changes.notify();
  }
}

const failureOf = (failure: JobFailure): WorkerFailure => (failure === 'tooSlow' ? 'tooSlow' : 'failed');

const emptyLog = (): ReadLog => ({ rows: [], bytes: 0, beginning: null, putBackBy: new Map() });

/** Adds the rows to the log. Returns the failure if they do not continue it, or if it is too large. */
function take(log: ReadLog, { rows, head, more, putBack }: HistoryRows): 'gap' | 'tooLarge' | null {
  for (const row of rows) {
    if (row.seq <= log.rows.length) continue;
    if (firstSeqOf(row) > log.rows.length + 1) return 'gap';
    while (log.rows.length < row.seq) log.rows.push(row);
    log.bytes += bytesOf(row);
  }
  for (const { seq, by } of putBack) log.putBackBy.set(seq, by);
  if (log.bytes > MAX_BYTES) return 'tooLarge';
  return log.rows.length < head && (rows.length === 0 || !more) ? 'gap' : null;
}

const UNKNOWN_CONTRIBUTION: Contribution = { seq: 0, at: null, by: null };

const authoredTexts = (
  authors: Answers['authors']['authors'],
  contributionOf: (index: number) => Contribution,
): AuthoredTexts =>
  mapValues(authors, (parts) =>
    mapValues(parts, (ranges) =>
      ranges.map(({ from, to, contribution }) => ({ from, to, contribution: contributionOf(contribution) })),
    ),
  );

/** Our own worker answers each kind of question with its kind of value. */
const valueOf = <Value>() => v.custom<Value>((value) => typeof value === 'object' && value !== null);

/** Gives the worker's number the type of a column's height. */
const HEIGHTS = [1, 2, 3, 4, 5, 6, 7] as const;
