// Knows which client id each session writes under, because a live update must contain structs of that id only. Learns it
// from rows, from `session_info` and from tabs of this browser, never from live updates of others. Only
// `session_info` names the user of a session.
import type { OutboxKey } from '../ports.ts';
import type { SessionId, UserId } from '../protocol/ids.ts';
import type { SessionInfo } from '../protocol/log-answers.ts';
import type { Part, Row } from '../protocol/row.ts';

export class KnownSessions {
  readonly #clientIds = new Map<SessionId, number>();
  readonly #users = new Map<SessionId, UserId>();
  /** Anyone on the page can announce a session that they see in presence. */
  readonly #announcers = new Map<SessionId, UserId>();
  readonly #registered = new Set<SessionId>();
  readonly #otherTabs = new Set<SessionId>();

  clientIdOf(session: SessionId): number | null {
    return this.#clientIds.get(session) ?? null;
  }

  /** The user whose session it is. Null until the database has named the user of a session that is registered to write. */
  userOf(session: SessionId): UserId | null {
    return this.#users.get(session) ?? null;
  }

  /** The person to list for the session: its user, or the only one who has announced it. */
  listedUserOf(session: SessionId): UserId | null {
    return this.userOf(session) ?? this.#announcers.get(session) ?? null;
  }

  learnInfo(info: SessionInfo): void {
    const { session, clientId, user } = info;
    if (clientId === null) {
      this.#announcers.set(session, user);
      return;
    }
    this.learnRegistered({ session, clientId });
    this.#users.set(session, user);
  }

  learnRows(rows: readonly Row[]): void {
    for (const row of rows) for (const part of [row, ...row.dependencies]) this.learnRegistered(part);
  }

  learnRegistered({ session, clientId }: OutboxKey): void {
    this.#clientIds.set(session, clientId);
    this.#registered.add(session);
  }

  /** Another tab of this browser: its unsent edits are usually on this device and nowhere else. */
  learnOtherTab(key: OutboxKey): void {
    this.#otherTabs.add(key.session);
    this.learnFromTab(key);
  }

  isOtherTab(session: SessionId): boolean {
    return this.#otherTabs.has(session);
  }

  /** A session of a tab of this browser, or one that such a tab knows: the database may not know it yet. */
  learnFromTab({ session, clientId }: OutboxKey): void {
    if (!this.#clientIds.has(session)) this.#clientIds.set(session, clientId);
  }

  /** The sessions of these parts that only this browser has named. */
  unregistered(parts: readonly Part[]): readonly OutboxKey[] {
    const keys = new Map(parts.map(({ session, clientId }) => [session, { session, clientId }]));
    return [...keys.values()].filter(({ session }) => !this.#registered.has(session));
  }
}
