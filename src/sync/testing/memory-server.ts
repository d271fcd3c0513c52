// Weft's database and its Realtime in memory, for tests of the session and for simulations. Each function has the semantics of
// its SQL function, without quotas.
import type { Bytes } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import { watchInterval } from '../live/message-cost.ts';
import type { CompactedRun } from '../log/compact-rows.ts';
import type { Append, Clock, Log, MadeSnapshot, PresentCall, PutBack, WatchLog } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { DocumentId, LinkSecret, SessionId, UserId } from '../protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER, MAX_SESSIONS_ASKED, MAX_WATCH_MESSAGE_BYTES } from '../protocol/limits.ts';
import type { Announcement, AppendAnswer, OpenAnswer, RowsAnswer, WatchAnswer } from '../protocol/log-answers.ts';
import type { PresentAnswer, Watching } from '../protocol/presenting.ts';
import { type DocumentRole, mayEdit } from '../protocol/roles.ts';
import { type Row, encodeRows } from '../protocol/row.ts';
import { EVENTS, liveTopic, viewTopic } from '../protocol/topics.ts';
import { type Appended, answerLimit } from './memory-document.ts';
import { MemoryHub } from './memory-hub.ts';
import { MemoryPages, type Page, epochOf, isSnapshotWanted, readableAfter, rightsOf } from './memory-pages.ts';

const WATCHED_FOR_MS = 60_000;
const WRITES_FOR_MS = 15_000;
const ERASING_PAUSE_MS = 20_000;
const NOTHING: Bytes = new Uint8Array(0);

/** In place of the fields of a page that a link to comment or edit does not show. */
const NO_PAGE = {
  head: 0,
  changedAt: 0,
  schemaVersion: 1,
  snapshot: null,
  rows: [],
  more: false,
  expiresAt: null,
  presenting: null,
  history: false,
  comments: null,
};

export class MemoryServer {
  readonly hub: MemoryHub;
  /** Simulations set it low, so that their short logs fill an answer too. */
  rowsPerAnswer = MAX_ROWS_PER_ANSWER;
  /** The limit of the project's plan: with many watchers the pause between two messages of rows grows. */
  messagesPerSecond = 4_000;
  readonly #clock: Clock;
  readonly #pages: MemoryPages;

  /** `newestSchema`: the newest schema version that the database knows (weft.newest_schema). */
  constructor(clock: Clock, newestSchema = Number.MAX_SAFE_INTEGER) {
    this.#clock = clock;
    this.#pages = new MemoryPages(clock, newestSchema);
    this.hub = new MemoryHub(clock, this.#pages);
  }

  // ── set-up and inspection by tests ───────────────────────────────────────────────────────────────────────────────

  createDocument(id: DocumentId, seed: Bytes | null = null): void {
    this.#pages.create(id, seed);
  }

  /** SN11: this person's only access is a link that does not show the history. */
  hideHistory(document: DocumentId, user: UserId): void {
    this.#pages.get(document).withoutHistory.add(user);
  }

  /** Sets a role. Losing a right moves the topic in the same step. */
  setRole(document: DocumentId, user: UserId, role: DocumentRole | null): void {
    const page = this.#pages.get(document);
    const before = page.roles.get(user) ?? null;
    if (role === null) page.roles.delete(user);
    else page.roles.set(user, role);
    const loses = before !== null && (role === null || (mayEdit(before) && !mayEdit(role)));
    if (!loses) return;
    this.moveTopic(document);
    if (!mayEdit(role) && page.stage.end(user)) this.#publishPresenting(page, 0);
  }

  moveTopic(document: DocumentId): void {
    const page = this.#pages.get(document);
    const old = [liveTopic(document, epochOf(page)), viewTopic(document, epochOf(page))];
    page.epoch += 1;
    for (const topic of old) this.hub.publish(topic, EVENTS.moved, NOTHING);
  }

  /** Acts as if someone had written with a newer app, whose migrations are applied. */
  setSchemaVersion(document: DocumentId, version: number): void {
    const { log } = this.#pages.get(document);
    log.schemaVersion = version;
    log.newestSchema = Math.max(log.newestSchema, version);
  }

  createLink(document: DocumentId, secret: LinkSecret, role: DocumentRole = 'viewer', history = true): void {
    this.#pages.createLink(secret, { page: this.#pages.get(document), role, history });
  }

  /** The newest change of the page's comments, as its links show it; null if they show none. */
  setComments(document: DocumentId, change: number | null): void {
    const page = this.#pages.get(document);
    page.comments = change;
    const message = new TextEncoder().encode(JSON.stringify({ change }));
    for (const { topic } of this.#pages.linksTo(page)) this.hub.publish(topic, EVENTS.comments, message);
  }

  revokeLink(secret: LinkSecret): void {
    const link = this.#pages.link(secret);
    if (link === undefined) return;
    this.#pages.deleteLink(secret);
    link.page.stage.forgetLink(link.topic);
    this.hub.publish(link.topic, EVENTS.ended, NOTHING);
  }

  /** The page's presenter and their session. */
  presenter(document: DocumentId): { readonly user: UserId; readonly session: SessionId } | null {
    return this.#pages.get(document).stage.presenter;
  }

  /** The first and last time a place with this many characters before it was presented. Tests give each place another number. */
  presentedAt(document: DocumentId, offset: number): readonly [first: number, last: number] | null {
    return this.#pages.get(document).stage.presentedAt(offset);
  }

  rows(document: DocumentId): readonly Row[] {
    return this.#pages.get(document).log.rows;
  }

  /** The seqs of the stored snapshots, oldest first. */
  snapshots(document: DocumentId): readonly number[] {
    return this.#pages.get(document).snapshots.seqs;
  }

  /** Stores a snapshot without checks, even a forged or damaged one. */
  plantSnapshot(document: DocumentId, snapshot: MadeSnapshot): void {
    this.#pages.get(document).snapshots.plant(snapshot, this.#clock.now());
  }

  /** Like `compact_history`, without its limits of age and of the text copy. */
  compact(document: DocumentId, run: CompactedRun): boolean {
    return this.#pages.get(document).log.compact(run);
  }

  /** Like `prepare_erasing`. */
  prepareErasing(document: DocumentId): number {
    const { log } = this.#pages.get(document);
    log.pausedUntil = this.#clock.now() + ERASING_PAUSE_MS;
    return log.head;
  }

  /** Like `erase_history`. */
  eraseHistory(document: DocumentId, seq: number, update: Bytes): boolean {
    const page = this.#pages.get(document);
    if (!page.log.beginAgain(seq, update, null)) return false;
    page.snapshots.forget();
    page.bodyText = '';
    page.textSeq = seq;
    page.publishedSeq = page.log.head;
    this.moveTopic(document);
    for (const { topic } of this.#pages.linksTo(page)) this.hub.publish(topic, EVENTS.erased, NOTHING);
    return true;
  }

  /** A backup of when `seq` was the newest row is restored. `isFinal`: the operator wants to be rid of what came later (HI5). */
  goBack(document: DocumentId, seq: number, isFinal = false): void {
    const page = this.#pages.get(document);
    page.log.goBack(seq);
    page.snapshots.goBack(seq);
    page.textSeq = Math.min(page.textSeq, seq);
    page.publishedSeq = Math.min(page.publishedSeq, seq);
    if (isFinal) page.finalRestoreAt = this.#clock.now();
  }

  /** The state in each stored snapshot. */
  snapshotStates(document: DocumentId): readonly Bytes[] {
    return this.#pages.get(document).snapshots.states;
  }

  /** The user who appended the row. Null for rows of no one, as the seed. */
  appendedBy(document: DocumentId, seq: number): UserId | null {
    return this.#pages.get(document).log.appendedBy(seq);
  }

  /** The current live topic. */
  topic(document: DocumentId): string {
    return liveTopic(document, epochOf(this.#pages.get(document)));
  }

  /** How many sessions are registered. */
  sessions(document: DocumentId): number {
    return this.#pages.get(document).log.sessions.size;
  }

  text(document: DocumentId): { readonly title: string; readonly bodyText: string; readonly seq: number } {
    const { title, bodyText, textSeq } = this.#pages.get(document);
    return { title, bodyText, seq: textSeq };
  }

  // ── the functions of the API ──────────────────────────────────────────────────────────────────────────────────────────────

  log(user: UserId): Log {
    return {
      open: async (document, since, at) => this.#open(document, since, at ?? null, user),
      startSession: async ({ document, session, clientId, schemaVersion }) => {
        const page = this.#pages.editable(document, user);
        if (!page.ok) return page;
        const started = page.value.log.start(session, clientId, user, schemaVersion);
        // Raised before the first edit, so that older apps never receive content that they would delete as unknown.
        if (started.ok) this.#raiseSchema(page.value, schemaVersion);
        return started.ok ? ok({ clientId, lastN: started.value.lastN }) : started;
      },
      append: async (append) => this.#append(append, user),
      putBack: async (call) => this.#putBack(call, user),
      rowsSince: async (document, seq, limit, watching, at) =>
        this.#rowsSince(document, { seq, at: at ?? null }, limit, user, watching),
      present: async (call) => this.#present(call, user),
      keepWatching: async (document, seq, watching, at) => {
        const page = this.#pages.readable(document, user);
        if (page.ok) page.value.watchedUntil = this.#clock.now() + WATCHED_FOR_MS;
        return this.#rowsSince(document, { seq, at: at ?? null }, MAX_ROWS_PER_ANSWER, user, watching);
      },
      announce: async (document, session, isWriting) => this.#announce(document, session, isWriting, user),
      sessionInfo: async (document, sessions) => {
        const page = this.#pages.readable(document, user);
        return page.ok
          ? ok(sessions.slice(0, MAX_SESSIONS_ASKED).flatMap((session) => this.#info(page.value, session)))
          : page;
      },
      publishPending: async (document) => {
        const page = this.#pages.editable(document, user);
        if (!page.ok) return page;
        const publishIn = this.#isWatched(page.value) ? this.#publish(page.value) : 0;
        return ok({ publishedSeq: page.value.publishedSeq, publishIn });
      },
      saveText: async (document, seq, title, bodyText, options) => {
        const page = this.#pages.editable(document, user);
        if (!page.ok) return page;
        if (!page.value.log.has(seq, options?.at)) return err(weftError('WF016'));
        if (seq >= page.value.textSeq) Object.assign(page.value, { title, bodyText, textSeq: seq });
        return ok(undefined);
      },
      claimSnapshot: async (document) => {
        const page = this.#pages.editable(document, user);
        if (!page.ok) return page;
        return ok({ ...page.value.snapshots.claim(user, this.#clock.now()), head: page.value.log.head });
      },
      saveSnapshot: async (document, snapshot) => {
        const page = this.#pages.editable(document, user);
        if (!page.ok) return page;
        if (!page.value.log.has(snapshot.seq, snapshot.at)) return err(weftError('WF016'));
        return page.value.snapshots.save(snapshot, user, this.#clock.now(), page.value.log.head);
      },
    };
  }

  watchLog(): WatchLog {
    return { openWatch: async (secret, since, watching, at) => this.#openWatch(secret, since, at ?? null, watching) };
  }

  #open(document: DocumentId, since: number, at: number | null, user: UserId): Result<OpenAnswer, WeftError> {
    const found = this.#pages.readable(document, user);
    if (!found.ok) return found;
    const page = found.value;
    if (!page.log.has(since, at)) return err(weftError('WF016'));
    return ok({
      document: { title: page.title, updatedAt: page.createdAt, updatedBy: null },
      ...rightsOf(page, user),
      head: page.log.head,
      changedAt: page.log.changedAt,
      textSeq: page.textSeq,
      schemaVersion: page.log.schemaVersion,
      ...this.#contentSince(page, since, page.withoutHistory.has(user)),
      snapshotWanted: isSnapshotWanted(page),
      presenting: page.stage.answer(false),
      historyBeganAt: page.log.historyBeganAt,
      finalRestoreAt: page.finalRestoreAt,
    });
  }

  #rowsSince(
    document: DocumentId,
    { seq, at }: { readonly seq: number; readonly at: number | null },
    limit: number,
    user: UserId,
    watching: Watching | null | undefined,
  ): Result<RowsAnswer, WeftError> {
    const page = this.#pages.readable(document, user);
    if (!page.ok) return page;
    if (!page.value.log.has(seq, at)) return err(weftError('WF016'));
    const { log, roles, stage } = page.value;
    const { head, schemaVersion } = log;
    stage.watch(watching, { user }, mayEdit(roles.get(user) ?? null));
    return ok({
      ...log.rowsAfter(readableAfter(page.value, user, seq), Math.min(answerLimit(limit), this.rowsPerAnswer)),
      snapshotWanted: isSnapshotWanted(page.value),
      head,
      schemaVersion,
      ...rightsOf(page.value, user),
      presenting: stage.answer(false),
      watchers: stage.watchers,
    });
  }

  #putBack(call: PutBack, user: UserId): Result<AppendAnswer, WeftError> {
    const found = this.#pages.editable(call.document, user);
    if (!found.ok) return found;
    const page = found.value;
    if (!page.log.has(call.knownSeq, call.knownAt)) return err(weftError('WF016'));
    const paused = page.log.checkPause();
    if (paused !== null) return err(paused);
    return ok(this.#appendAnswer(page, user, call, { seq: null, lastN: 0, row: page.log.putBack(call, user) }));
  }

  #append(append: Append, user: UserId): Result<AppendAnswer, WeftError> {
    const malformed = this.#pages.find(append.document)?.log.parse(append) ?? null;
    if (malformed !== null) return err(malformed);
    const found = this.#pages.editable(append.document, user);
    if (!found.ok) return found;
    const page = found.value;
    const appended = page.log.append(append, user, (author) => page.roles.get(author) ?? null);
    return appended.ok ? ok(this.#appendAnswer(page, user, append, appended.value)) : appended;
  }

  #appendAnswer(
    page: Page,
    user: UserId,
    append: Pick<Append, 'knownSeq' | 'livePeers' | 'schemaVersion'>,
    { seq, lastN, row }: Appended,
  ): AppendAnswer {
    const topic = liveTopic(page.id, epochOf(page));
    if (row !== null) this.#raiseSchema(page, append.schemaVersion);
    if (row !== null && append.livePeers !== 0) {
      this.hub.publish(topic, EVENTS.rows, this.#message(page, row.seq - 1));
    }
    const publishIn = row === null ? 0 : this.#publish(page);
    const rights = rightsOf(page, user);
    return {
      seq: seq ?? row?.seq ?? null,
      lastN,
      head: page.log.head,
      ...rights,
      ...page.log.rowsAfter(readableAfter(page, user, append.knownSeq), this.rowsPerAnswer),
      snapshotWanted: isSnapshotWanted(page),
      unpublished: publishIn > 0,
      publishIn,
    };
  }

  #present(call: PresentCall, user: UserId): Result<PresentAnswer, WeftError> {
    const found = this.#pages.editable(call.document, user);
    if (!found.ok) return found;
    const page = found.value;
    if ((page.log.sessions.get(call.session)?.user ?? user) !== user)
      return err(weftError('WF005', 'the session is someone else’s'));
    const presented = page.stage.present(call, user);
    if (!presented.ok) return presented;
    if (presented.value.publish) this.#publishPresenting(page, call.livePeers);
    const { followers, watching } = page.stage;
    return ok({
      at: presented.value.at,
      epoch: epochOf(page),
      published: presented.value.publish,
      followers,
      watching,
    });
  }

  #publishPresenting(page: Page, livePeers: number | null): void {
    const named = page.stage.message(false);
    if (livePeers !== 0) this.hub.publish(liveTopic(page.id, epochOf(page)), EVENTS.presenting, named);
    if (!this.#isWatched(page)) return;
    this.hub.publish(viewTopic(page.id, epochOf(page)), EVENTS.presenting, named);
    const unnamed = page.stage.message(true);
    for (const { topic } of this.#pages.linksTo(page)) this.hub.publish(topic, EVENTS.presenting, unnamed);
  }

  #raiseSchema({ id, log }: Page, version: number): void {
    if (version <= log.schemaVersion) return;
    log.schemaVersion = version;
    this.moveTopic(id);
  }

  #openWatch(
    secret: LinkSecret,
    since: number,
    at: number | null,
    watching: Watching | null | undefined,
  ): Result<WatchAnswer, WeftError> {
    const link = this.#pages.link(secret);
    if (link === undefined) return err(weftError('WF009'));
    const { page, role, topic } = link;
    if (role !== 'viewer') return ok({ ...NO_PAGE, documentId: page.id, title: page.title, topic, role });
    if (!page.log.has(since, at)) return err(weftError('WF016'));
    page.watchedUntil = this.#clock.now() + WATCHED_FOR_MS;
    page.stage.watch(watching, { link: topic }, false);
    const { log, title } = page;
    const { changedAt, head, schemaVersion } = log;
    return ok({
      documentId: page.id,
      title,
      topic,
      role,
      head,
      changedAt,
      schemaVersion,
      ...this.#contentSince(page, since, !link.history),
      expiresAt: null,
      presenting: page.stage.answer(true),
      history: link.history,
      comments: page.comments,
    });
  }

  /**
   * A caller without rows (`since` is 0) gets the newest snapshot and the rows after it. A caller that could not read the
   * snapshot (below 0) gets all rows, which exist because nothing is pruned. A caller without the history (`isHidden`, SN11)
   * gets no row that the snapshot contains.
   */
  #contentSince(page: Page, since: number, isHidden: boolean) {
    const isNeeded = since === 0 || (isHidden && since < (page.snapshots.newest?.seq ?? 0));
    const newest = isNeeded ? page.snapshots.newest : null;
    const at = page.log.rows.find(({ seq }) => seq === newest?.seq)?.at ?? null;
    const snapshot = newest && { ...newest, at };
    return { snapshot, ...page.log.rowsAfter(snapshot?.seq ?? Math.max(0, since)) };
  }

  /** Sends new rows to the watchers, or says in how many milliseconds they may go out. */
  #publish(page: Page): number {
    const now = this.#clock.now();
    if (!this.#isWatched(page)) {
      page.publishedSeq = page.log.head;
      return 0;
    }
    if (page.publishedSeq === page.log.head) return 0;
    const { people, links } = page.stage.watchers;
    const pause = watchInterval(this.messagesPerSecond / 2, people.length + links);
    if (now < page.publishedAt + pause) return Math.ceil(page.publishedAt + pause - now);
    const message = this.#message(page, page.publishedSeq);
    this.hub.publish(viewTopic(page.id, epochOf(page)), EVENTS.rows, message);
    for (const { topic } of this.#pages.linksTo(page)) this.hub.publish(topic, EVENTS.rows, message);
    page.publishedSeq = page.log.head;
    page.publishedAt = now;
    return 0;
  }

  #isWatched(page: Page): boolean {
    return page.watchedUntil > this.#clock.now();
  }

  #message(page: Page, after: number): Bytes {
    const { head } = page.log;
    const rows = page.log.rows.filter(({ seq }) => seq > after);
    const [first] = rows;
    const before = first === undefined ? 0 : page.log.timeBefore(first);
    const bytes = encodeRows({ kind: 'rows', head, before, rows });
    return bytes.length <= MAX_WATCH_MESSAGE_BYTES ? bytes : encodeRows({ kind: 'fetch', head });
  }

  #announce(
    document: DocumentId,
    session: SessionId,
    isWriting: boolean,
    user: UserId,
  ): Result<Announcement, WeftError> {
    const page = this.#pages.readable(document, user);
    if (!page.ok) return page;
    const { announced, log, roles } = page.value;
    if ((log.sessions.get(session)?.user ?? user) !== user)
      return err(weftError('WF005', 'the session is someone else’s'));
    const role = roles.get(user);
    const now = this.#clock.now();
    const counts = isWriting && role !== undefined && mayEdit(role);
    const users = announced.get(session) ?? new Map<UserId, { readonly writesUntil: number }>();
    announced.set(session, users.set(user, { writesUntil: counts ? now + WRITES_FOR_MS : 0 }));
    const isBusy = (one: Page) =>
      [...one.announced.values()].some((all) => [...all.values()].some(({ writesUntil }) => writesUntil > now));
    return ok({ busyPages: this.#pages.all.filter(isBusy).length });
  }

  #info(page: Page, session: SessionId) {
    const [user, other] = page.announced.get(session)?.keys() ?? [];
    const announced =
      user === undefined || other !== undefined ? undefined : { session, clientId: null, user, lastN: 0 };
    const known = page.log.sessions.get(session) ?? announced;
    return known === undefined ? [] : [{ ...known, role: page.roles.get(known.user) ?? null }];
  }
}
