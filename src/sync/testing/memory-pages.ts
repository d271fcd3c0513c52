// The pages of the memory server: who has which role on each, the links to it, and what both allow. SPECIFICATION.md, section 6
// defines what each role may do.
import type { Bytes } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { Clock } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { DocumentId, LinkSecret, SessionId, UserId } from '../protocol/ids.ts';
import { type DocumentRole, mayEdit } from '../protocol/roles.ts';
import { liveTopic, viewTopic } from '../protocol/topics.ts';
import { MemoryDocument } from './memory-document.ts';
import type { TopicPolicy } from './memory-hub.ts';
import { MemorySnapshots } from './memory-snapshots.ts';
import { MemoryStage } from './memory-stage.ts';

export type Page = {
  readonly id: DocumentId;
  readonly log: MemoryDocument;
  readonly snapshots: MemorySnapshots;
  readonly stage: MemoryStage;
  readonly roles: Map<UserId, DocumentRole>;
  readonly createdAt: number;
  title: string;
  bodyText: string;
  textSeq: number;
  epoch: number;
  publishedSeq: number;
  publishedAt: number;
  watchedUntil: number;
  finalRestoreAt: number | null;
  /** The newest change of its comments, if links show them. */
  comments: number | null;
  /** These people get only the rows after the newest snapshot (SN11). */
  readonly withoutHistory: Set<UserId>;
  /** By announced session: who announced it, and until when that person counts as writing. */
  readonly announced: Map<SessionId, Map<UserId, { readonly writesUntil: number }>>;
};

type ShareLink = {
  readonly page: Page;
  readonly role: DocumentRole;
  readonly topic: string;
  readonly history: boolean;
};

export class MemoryPages implements TopicPolicy {
  readonly #clock: Clock;
  readonly #newestSchema: number;
  readonly #pages = new Map<DocumentId, Page>();
  readonly #links = new Map<LinkSecret, ShareLink>();

  constructor(clock: Clock, newestSchema: number) {
    this.#clock = clock;
    this.#newestSchema = newestSchema;
  }

  get all(): readonly Page[] {
    return [...this.#pages.values()];
  }

  create(id: DocumentId, seed: Bytes | null): void {
    this.#pages.set(id, {
      id,
      log: new MemoryDocument(seed, () => this.#clock.now(), this.#newestSchema),
      snapshots: new MemorySnapshots(),
      stage: new MemoryStage(() => this.#clock.now()),
      roles: new Map(),
      createdAt: this.#clock.now(),
      title: '',
      bodyText: '',
      textSeq: 0,
      epoch: 1,
      publishedSeq: seed === null ? 0 : 1,
      publishedAt: 0,
      watchedUntil: 0,
      finalRestoreAt: null,
      withoutHistory: new Set(),
      comments: null,
      announced: new Map(),
    });
  }

  find(id: DocumentId): Page | undefined {
    return this.#pages.get(id);
  }

  get(id: DocumentId): Page {
    const page = this.#pages.get(id);
    if (page === undefined) throw new Error(`no document ${id}`);
    return page;
  }

  readable(id: DocumentId, user: UserId): Result<Page, WeftError> {
    const page = this.#pages.get(id);
    return page?.roles.has(user) ? ok(page) : err(weftError('WF001'));
  }

  editable(id: DocumentId, user: UserId): Result<Page, WeftError> {
    const page = this.readable(id, user);
    if (!page.ok) return page;
    return mayEdit(page.value.roles.get(user) ?? null) ? page : err(weftError('WF002'));
  }

  createLink(secret: LinkSecret, link: Omit<ShareLink, 'topic'>): void {
    this.#links.set(secret, { ...link, topic: `w:${secret}` });
  }

  link(secret: LinkSecret): ShareLink | undefined {
    return this.#links.get(secret);
  }

  deleteLink(secret: LinkSecret): void {
    this.#links.delete(secret);
  }

  linksTo(page: Page): readonly ShareLink[] {
    return [...this.#links.values()].filter((link) => link.page === page);
  }

  mayJoin(topic: string, user: UserId | null): boolean {
    if (topic.startsWith('w:'))
      return [...this.#links.values()].some((link) => link.topic === topic && link.role === 'viewer');
    return user !== null && this.#pageOfTopic(topic)?.roles.has(user) === true;
  }

  maySend(topic: string, user: UserId | null): boolean {
    return user !== null && topic.startsWith('d:') && mayEdit(this.#pageOfTopic(topic)?.roles.get(user) ?? null);
  }

  #pageOfTopic(topic: string): Page | undefined {
    return this.all.find(
      (page) => liveTopic(page.id, epochOf(page)) === topic || viewTopic(page.id, epochOf(page)) === topic,
    );
  }
}

export const epochOf = (page: Page): string => `${page.epoch}.1`;

export const rightsOf = (page: Page, user: UserId): { readonly epoch: string; readonly role: DocumentRole } => ({
  epoch: epochOf(page),
  role: page.roles.get(user) ?? 'viewer',
});

/**
 * SN11: this person may read rows after `after`, but none that the newest snapshot contains if the history is hidden.
 */
export const readableAfter = ({ snapshots, withoutHistory }: Page, user: UserId, after: number): number =>
  withoutHistory.has(user) ? Math.max(after, snapshots.newest?.seq ?? 0) : after;

export const isSnapshotWanted = ({ log, snapshots, withoutHistory }: Page): boolean =>
  withoutHistory.size > 0 && log.head > (snapshots.newest?.seq ?? 0);
