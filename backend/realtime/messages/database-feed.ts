// Delivers messages from the database: rows of realtime.messages, which a trigger announces by NOTIFY after their commit, go to
// the channels of their topic. Only these messages have `meta.id`, so a client can tell them from those of other clients.
import * as v from 'valibot';
import { parseJsonOrNull, parseOrNull } from '../../../src/lib/parse-or-null.ts';
import type { Engine } from '../../engine.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import type { TopicHub } from '../topic/topic-hub.ts';
import { broadcastDelivery } from '../wire/delivery.ts';
import { broadcastSize } from '../wire/payload-size.ts';
import { type Content, TOPIC_PREFIX } from '../wire/wire-message.ts';

export type DatabaseFeed = {
  /**
   * Once resolved, no committed message is missed, except while the connection to the database is lost (`Engine.onGap`).
   * Rejects when the server cannot listen to the database.
   */
  readonly ready: Promise<void>;
  readonly stop: () => Promise<void>;
};

const CHANNEL = 'realtime_messages';

/** A row of realtime.messages, as far as this server reads it. */
const storedMessageSchema = v.object({
  topic: v.string(),
  event: v.string(),
  private: v.boolean(),
  /** JSON as Postgres writes it; it is passed on unparsed. */
  json: v.nullable(v.string()),
  base64: v.nullable(v.string()),
});
type StoredMessage = v.InferOutput<typeof storedMessageSchema>;

export function openDatabaseFeed(pg: Engine, hub: TopicHub, options: RealtimeOptions): DatabaseFeed {
  /** The number of announcements in `inbox`: when a row must be read first, later messages wait for it. */
  let waiting = 0;
  let inbox = Promise.resolve();

  function receive(text: string): void {
    const message = parseAnnouncement(text);
    if (message === null) return options.log('an announcement of the database was malformed');
    const { id, row } = message;
    if (row !== null && waiting === 0) return deliver(id, row);
    waiting++;
    inbox = inbox.then(() => take(id, row));
  }

  async function take(id: string, announced: StoredMessage | null): Promise<void> {
    try {
      const row = announced ?? (await readRow(pg, id));
      if (row !== null) deliver(id, row);
    } catch (error) {
      options.log(`message ${id} of the database was lost: ${String(error)}`);
    } finally {
      waiting--;
    }
  }

  function deliver(id: string, row: StoredMessage): void {
    const topic = hub.find({ name: row.topic, private: row.private });
    if (topic === null) return;
    const { event } = row;
    const content = contentOf(row);
    if (broadcastSize(event, content) > options.maxPayloadBytes) return options.log(`message ${id} is too large`);
    topic.publish(broadcastDelivery({ topic: TOPIC_PREFIX + row.topic, event, meta: { id }, ...content }), null);
  }

  const listening = pg.listen(CHANNEL, receive);
  return {
    ready: listening.then(() => undefined),
    async stop() {
      const unlisten = await listening.catch(() => null);
      if (unlisten !== null && !pg.closed) await unlisten();
      await inbox;
    },
  };
}

/** `row` is null when it did not fit into the announcement. */
function parseAnnouncement(text: string): { readonly id: string; readonly row: StoredMessage | null } | null {
  const value = parseJsonOrNull(v.unknown(), text);
  const head = v.safeParse(v.object({ id: v.pipe(v.string(), v.uuid()) }), value);
  if (!head.success) return null;
  return { id: head.output.id, row: parseOrNull(storedMessageSchema, value) };
}

const contentOf = ({ json, base64 }: StoredMessage): Content =>
  json === null
    ? { encoding: 'bytes', content: Buffer.from(base64 ?? '', 'base64') }
    : { encoding: 'json', content: Buffer.from(json) };

async function readRow(pg: Engine, id: string): Promise<StoredMessage | null> {
  const { rows } = await pg.query(
    `select topic, event, private, payload::text as json, encode(binary_payload, 'base64') as base64
     from realtime.messages where id = $1`,
    [id],
  );
  return rows[0] === undefined ? null : v.parse(storedMessageSchema, rows[0]);
}
