// The fixture of the Log and Link contracts: one page with a seed row, and people with different rights on it.
import type { Append, JoinOptions, Link, Log, WatchLog } from 'weft-sync/ports.ts';
import type { DocumentId, SessionId, UserId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { Epoch } from 'weft-sync/protocol/topics.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';

export type Member = { readonly user: UserId; readonly log: Log; readonly link: Link };

export type ContractFixture = {
  readonly document: DocumentId;
  readonly editor: Member;
  readonly other: Member;
  readonly viewer: Member;
  readonly outsider: Member;
  readonly watchLog: WatchLog;
  readonly anonLink: Link;
  /** The secret of an active watch link. */
  readonly secret: LinkSecret;
  revokeLink(): Promise<void>;
  removeViewer(): Promise<void>;
  /** Gives the second editor another role, or none. */
  setOther(role: DocumentRole | null): Promise<void>;
};

const random = seededRandom(Date.now() % 1_000_000_007);
export const newSession = (): SessionId => random.session();
export const newClientId = (): number => 1024 + Math.floor(random.next() * 4_000_000_000);
const EMPTY_UPDATE = Uint8Array.of(0, 0);

export const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);

export async function value<T>(answer: Promise<{ ok: true; value: T } | { ok: false; error: unknown }>): Promise<T> {
  const result = await answer;
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

export async function codeOf(
  answer: Promise<{ ok: true; value: unknown } | { ok: false; error: { code: string } }>,
): Promise<string> {
  const result = await answer;
  return result.ok ? 'ok' : result.error.code;
}

/** A registered session of a member, and its appends. */
export async function startedSession(fixture: ContractFixture, member: Member) {
  const session = newSession();
  const clientId = newClientId();
  await value(member.log.startSession({ document: fixture.document, session, clientId, schemaVersion: 1 }));
  const append = (nFrom: number, nTo: number, more: Partial<Append> = {}): Append => ({
    document: fixture.document,
    session,
    nFrom,
    nTo,
    update: EMPTY_UPDATE,
    dependencies: [],
    knownSeq: 0,
    schemaVersion: 1,
    livePeers: null,
    ...more,
  });
  return { session, clientId, append };
}

export type ReceivedMessage = { readonly event: string; readonly payload: Uint8Array; readonly fromDatabase: boolean };

/** A channel and everything it received. */
export class RecordingChannel {
  readonly events: string[] = [];
  readonly received: ReceivedMessage[] = [];
  peers: readonly SessionId[] = [];
  readonly channel;

  constructor(link: Link, topic: string, presence: JoinOptions['presence']) {
    this.channel = link.join(
      topic,
      { presence },
      {
        joined: () => void this.events.push('joined'),
        lost: (reason) => void this.events.push(`lost ${reason}`),
        message: (event, payload, fromDatabase) => void this.received.push({ event, payload, fromDatabase }),
        peers: (peers) => {
          this.peers = peers;
        },
      },
    );
  }

  async joined(): Promise<this> {
    await until(() => this.events.length > 0);
    if (this.events[0] !== 'joined') throw new Error(`not joined: ${this.events.join()}`);
    return this;
  }
}

/** Whether the project is remote, so far away or slow. Browsers have no `process`. */
const isRemote = typeof process !== 'undefined' && (process.env['SUPABASE_URL'] ?? '') !== '';
const PATIENCE = isRemote ? 5 : 1;

/** Waits in real time, because adapters are tested here. `ms` is meant for a local server. */
export async function until(done: () => boolean, ms = 8_000): Promise<void> {
  const end = Date.now() + ms * PATIENCE;
  while (!done()) {
    if (Date.now() > end) throw new Error(`nothing happened in ${ms * PATIENCE} ms: ${done.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits long enough for an unwanted message to arrive. */
export const waitForSilence = (): Promise<void> => pause(isRemote ? 1_500 : 150);

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function epochOf(fixture: ContractFixture): Promise<Epoch> {
  return (await value(fixture.editor.log.open(fixture.document, 0))).epoch;
}

/** Reads the whole log, one answer after the other. */
export async function everyRow(
  fixture: ContractFixture,
  member: Member = fixture.editor,
  limit = 500,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let more = true; more;) {
    const answer = await value(member.log.rowsSince(fixture.document, rows.at(-1)?.seq ?? 0, limit));
    if (answer.more && answer.rows.length === 0) throw new Error('more, and none of it');
    rows.push(...answer.rows);
    ({ more } = answer);
  }
  return rows;
}
