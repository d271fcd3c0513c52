// The history of one page while somebody looks at it: reads all rows of its log, keeps them, and asks a worker. A worker that is
// new gets the rows again.
import * as v from 'valibot';
import type { LetterRange } from '../../../document/history/find-passage.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import type { DeadlineWorker } from '../../../lib/deadline-worker.ts';
import { type Result, err, ok } from '../../../lib/result.ts';
import { sha256 } from '../../../lib/sha256.ts';
import { Subscribable } from '../../../lib/subscribable.ts';
import type { WeftError } from '../../../protocol/errors.ts';
import type { SessionId, UserId } from '../../../protocol/ids.ts';
import type { HistoryRows } from '../../../protocol/history-answers.ts';
import { SCHEMA_VERSION } from '../../../protocol/limits.ts';
import { firstSeqOf } from '../../../protocol/first-seq.ts';
import type { Row } from '../../../protocol/row.ts';
import type {
  AuthoredTexts,
  Deed,
  HistoryChanges,
  HistoryFailure,
  HistoryPage,
  HistoryView,
  PageHistory,
  TimelineColumn,
} from '../../../state/ports/history.ts';
import { type ErasedRow, type RowPlaces, withHashes } from '../../../sync/log/erased-rows.ts';
import type { Answers, Deeds, HistoryAnswer, HistoryJob, Question } from './history-jobs.ts';
import type { LogDeed } from './page-log.ts';

export type HistorySource = {
  readonly rows: (after: number) => Promise<Result<HistoryRows, WeftError>>;
  /** Who is behind sessions. Never rejects. Null if the reader may not know: then nothing counts as passed on either. */
  readonly authors: ((sessions: readonly SessionId[]) => Promise<ReadonlyMap<SessionId, UserId>>) | null;
  /** Turns a time of the server into one of this device. */
  readonly fromServer: (at: number) => number;
};

type Answer<T> = Promise<Result<T, HistoryFailure>>;

/** Nobody can have written more by hand; a page of 20,000 rows has 2 MB. */
const MAX_BYTES = 256 * 1024 * 1024;
/** So many rows are replayed at once: 0.1 to 0.5 s. */
const ROWS_PER_JOB = 1000;
const BYTES_PER_JOB = 2 * 1024 * 1024;
/** A worker that loses its rows again and again is given up. */
const MAX_TRIES = 3;

export class OpenedHistory implements PageHistory {
  readonly #source: HistorySource;
  readonly #worker: Pick<DeadlineWorker<HistoryJob, HistoryAnswer>, 'run' | 'close'>;
  readonly #changes = new Subscribable();
  /** By their numbers. A compacted row stands at each of those that it stands for. */
  readonly #rows: Row[] = [];
  readonly #authors = new Map<SessionId, UserId | null>();
  #bytes = 0;
  #view: HistoryView = { phase: 'loading', rows: 0, head: null };
  #isClosed = false;
  #reading: Promise<void> | null = null;

  constructor(source: HistorySource, worker: Pick<DeadlineWorker<HistoryJob, HistoryAnswer>, 'run' | 'close'>) {
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

  readonly row = (seq: number): Deed | null => {
    const row = this.#rows[seq - 1];
    if (row === undefined) return null;
    // A relay has no part of its own.
    const part = row.nTo > 0 || seq === 1 ? row : (row.dependencies[0] ?? row);
    const via = part === row ? null : row.session;
    return this.#deedOf({ seq, at: row.at ?? null, session: part.session, via });
  };

  readonly pageAt = async (seq: number): Answer<HistoryPage> =>
    mapped(await this.#ask({ kind: 'page', seq }), (page) => ({ seq, ...page }));

  readonly authors = async (seq: number) =>
    mapped(await this.#ask({ kind: 'authors', seq }), ({ page, authors, deeds }) => ({
      page: { seq, ...page },
      authors: this.#authored(authors, deeds),
    }));

  readonly changes = async (from: number, to: number): Answer<HistoryChanges> =>
    mapped(await this.#ask({ kind: 'changes', from, to }), (found) => {
      const deed = (index: number) => this.#deedIn(found.deeds, index);
      return {
        page: { seq: to, ...found.page },
        before: { seq: from, ...found.before },
        changes: found.changes,
        authors: this.#authored(found.authors, found.deeds),
        blockDeeds: mapValues(found.blockDeeds, deed),
        removals: mapValues(found.removals, (parts) =>
          mapValues(parts, (takers) => takers.map((index) => (index === null ? null : deed(index)))),
        ),
        blockRemovals: mapValues(found.blockRemovals, deed),
      };
    });

  readonly wordsOf = ({ fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number }) =>
    this.#ask({ kind: 'words', fromSeq, toSeq });

  readonly timeline = async (columns: number): Answer<readonly TimelineColumn[]> =>
    mapped(await this.#ask({ kind: 'timeline', columns }), (found) =>
      found.map(({ session, rows, from, ...column }) => ({
        ...column,
        from: this.#source.fromServer(from),
        rows: ROW_COUNTS[rows - 1] ?? 7,
        by: this.#authors.get(session) ?? null,
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

  /** The rows that hold these letters or copies of them, and where. `unknownRow`: some are in no row yet. */
  readonly rowsWith = async (chosen: readonly LetterRange[]): Answer<readonly ErasedRow[]> => {
    const passage = await this.#ask({ kind: 'passage', chosen });
    if (!passage.ok) return passage;
    const { letters } = passage.value;
    const places: RowPlaces[] = [];
    for (let at = 0; at < this.#rows.length;) {
      const rows = this.#chunk(at);
      const found = await this.#ask({ kind: 'places', rows, letters });
      if (!found.ok) return found;
      places.push(...found.value);
      at = rows.at(-1)?.seq ?? this.#rows.length;
    }
    return ok(await withHashes(places, (seq) => this.#rows[seq - 1], sha256));
  };

  async #read(): Promise<void> {
    if (this.#view.phase === 'failed') this.#show({ phase: 'loading', rows: this.#rows.length, head: null });
    let skipped: readonly number[] = this.#view.phase === 'ready' ? this.#view.skipped : [];
    for (;;) {
      const answer = await this.#source.rows(this.#rows.length);
      if (this.#isClosed) return;
      if (!answer.ok) return this.#show({ phase: 'failed', reason: answer.error });
      const { rows, head, more, schemaVersion } = answer.value;
      for (const row of rows) {
        if (row.seq <= this.#rows.length) continue;
        if (firstSeqOf(row) > this.#rows.length + 1) return this.#show({ phase: 'failed', reason: 'gap' });
        while (this.#rows.length < row.seq) this.#rows.push(row);
        this.#bytes += row.dependencies.reduce((sum, { update }) => sum + update.length, row.update.length);
      }
      if (this.#bytes > MAX_BYTES) return this.#show({ phase: 'failed', reason: 'tooLarge' });
      if (this.#rows.length < head && (rows.length === 0 || !more))
        return this.#show({ phase: 'failed', reason: 'gap' });
      const taken = await this.#send(skipped);
      if (this.#isClosed) return;
      if (taken === null) return this.#show({ phase: 'failed', reason: 'tooSlow' });
      skipped = taken;
      if (more) {
        if (this.#view.phase === 'loading') this.#show({ phase: 'loading', rows: this.#rows.length, head });
        continue;
      }
      await this.#learnAuthors();
      if (this.#isClosed) return;
      return this.#show({
        phase: 'ready',
        head: this.#rows.length,
        skipped,
        isNewer: schemaVersion > SCHEMA_VERSION,
      });
    }
  }

  /** Brings all rows to the worker, and returns those that it skipped; null if it gives up. */
  async #send(skipped: readonly number[], from = this.#sent): Promise<readonly number[] | null> {
    let latest = skipped;
    for (let at = from; at < this.#rows.length;) {
      const chunk = this.#chunk(at);
      const answer = await this.#worker.run({ kind: 'rows', rows: chunk });
      if (!answer.ok || answer.value.kind !== 'has') return null;
      latest = answer.value.skipped;
      // The worker may be a new one.
      at = answer.value.seq;
      this.#sent = at;
      if (at < (chunk[0]?.seq ?? 1) && at > 0) return null;
    }
    return latest;
  }

  #sent = 0;

  #chunk(from: number): readonly Row[] {
    const chunk: Row[] = [];
    let bytes = 0;
    for (let row = this.#rows[from]; row !== undefined; row = this.#rows[row.seq]) {
      if (chunk.length >= ROWS_PER_JOB || bytes >= BYTES_PER_JOB) break;
      chunk.push(row);
      bytes += row.update.length;
    }
    return chunk;
  }

  async #learnAuthors(): Promise<void> {
    const { authors } = this.#source;
    if (authors === null) return;
    const unknown = new Set<SessionId>();
    for (const row of this.#rows)
      for (const { session } of [row, ...row.dependencies]) if (!this.#authors.has(session)) unknown.add(session);
    if (unknown.size === 0) return;
    const found = await authors(Array.from(unknown));
    for (const session of unknown) this.#authors.set(session, found.get(session) ?? null);
  }

  async #ask<Kind extends Question['kind']>(question: Extract<Question, { kind: Kind }>): Answer<Answers[Kind]> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      // The spread of a generic loses its kind.
      const job = { ...question, known: this.#rows.length } as HistoryJob;
      const answer = await this.#worker.run(job);
      if (!answer.ok) return err(answer.error === 'tooSlow' ? 'tooSlow' : 'failed');
      if (answer.value.kind === 'unknownRow') return err('unknownRow');
      if (answer.value.kind === 'value') {
        const value = v.safeParse(valueOf<Answers[Kind]>(), answer.value.value);
        return value.success ? ok(value.output) : err('failed');
      }
      if ((await this.#send([], answer.value.seq)) === null) return err('tooSlow');
    }
    return err('failed');
  }

  #deedOf({ seq, at, session, via }: LogDeed): Deed {
    const by = this.#authors.get(session) ?? null;
    const isPassedOn = this.#source.authors !== null && via !== null && (by === null || by !== this.#authors.get(via));
    return { seq, at: at === null ? null : this.#source.fromServer(at), by, isPassedOn };
  }

  #deedIn(deeds: Deeds, index: number): Deed {
    const deed = deeds.get(index);
    return deed === undefined ? { seq: 0, at: null, by: null, isPassedOn: false } : this.#deedOf(deed);
  }

  #authored(authors: Answers['authors']['authors'], deeds: Deeds): AuthoredTexts {
    const known = new Map<number, Deed>();
    const deedOf = (index: number) => {
      const deed = known.get(index) ?? this.#deedIn(deeds, index);
      known.set(index, deed);
      return deed;
    };
    return mapValues(authors, (parts) =>
      mapValues(parts, (ranges) => ranges.map(({ from, to, deed }) => ({ from, to, deed: deedOf(deed) }))),
    );
  }

  #show(view: HistoryView): void {
    this.#view = view;
    this.#changes.notify();
  }
}

/** Our own worker answers each kind of question with its kind of value. */
const valueOf = <Value>() => v.custom<Value>((value) => typeof value === 'object' && value !== null);

const ROW_COUNTS = [1, 2, 3, 4, 5, 6, 7] as const;

const mapValues = <Key, Value, Mapped>(map: ReadonlyMap<Key, Value>, change: (value: Value) => Mapped) =>
  new Map(Array.from(map, ([key, value]) => [key, change(value)] as const));

const mapped = <Value, Mapped>(
  result: Result<Value, HistoryFailure>,
  change: (value: Value) => Mapped,
): Result<Mapped, HistoryFailure> => (result.ok ? ok(change(result.value)) : result);
