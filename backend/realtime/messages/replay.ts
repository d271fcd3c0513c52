// Reads the last messages of a private topic that came from the database, for a channel that requests them as it joins.
import * as v from 'valibot';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Engine } from '../../engine.ts';
import { type Broadcast, encodeBroadcast, encodeJsonText } from '../wire/frame-encoder.ts';
import { contentOf, storedMessageSchema } from './stored-message.ts';
import type { Ref, Version, WireFrame } from '../wire/wire-message.ts';

/** `since` is in milliseconds since 1970. */
export type ReplayRequest = { readonly since: number; readonly limit: number };
export type ReplayedMessage = Broadcast & { readonly meta: { readonly id: string; readonly replayed: true } };
/** Returns the oldest message first. Rejects when the database fails. */
export type Replay = (topic: string, request: ReplayRequest) => Promise<readonly ReplayedMessage[]>;

/** Also the number without a `limit`. `since` must be given. */
const MAX_MESSAGES = 25;

export function parseReplay(value: { readonly [key: string]: unknown }): Result<ReplayRequest, string> {
  const { since, limit } = { since: value['since'], limit: value['limit'] ?? MAX_MESSAGES };
  return isInteger(since) && isInteger(limit)
    ? ok({ since, limit: Math.max(1, Math.min(limit, MAX_MESSAGES)) })
    : err('UnableToReplayMessages: Replay params are not valid');
}

export function createReplay(pg: Engine): Replay {
  return async (topic, { since, limit }) => {
    const { rows } = await pg.query(
      `select id, topic, event, private, payload::text as json, encode(binary_payload, 'base64') as base64
       from realtime.messages
       where topic = $1 and private and extension = 'broadcast' and event is not null
         and inserted_at >= to_timestamp($2::float8 / 1000)::timestamp
         and (payload is not null or binary_payload is not null)
       order by inserted_at desc limit $3::int`,
      [topic, since, limit],
    );
    return v
      .parse(rowsSchema, rows)
      .map((row): ReplayedMessage => ({
        topic: `realtime:${row.topic}`,
        event: row.event,
        meta: { id: row.id, replayed: true },
        ...contentOf(row),
      }))
      .toReversed();
  };
}

/** JSON becomes text, bytes stay bytes. Null when this protocol version cannot send the message. */
export function encodeReplayed(version: Version, joinRef: Ref, message: ReplayedMessage): WireFrame | null {
  if (message.encoding === 'bytes') return encodeBroadcast(version, message);
  const { topic, event, meta, content } = message;
  const head = JSON.stringify({ event, meta, type: 'broadcast' });
  const payload = `${head.slice(0, -1)},"payload":${Buffer.from(content).toString()}}`;
  return encodeJsonText(version, { joinRef, ref: null, topic, event: 'broadcast' }, payload);
}

const rowsSchema = v.array(v.object({ id: v.string(), ...storedMessageSchema.entries }));

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
