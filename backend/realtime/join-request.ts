// The payload of phx_join, parsed. What is missing or of the wrong type falls back to its default, as in the original.
import { randomUUID } from 'node:crypto';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { isJsonObject } from './wire-message.ts';

export type JoinRequest = {
  readonly private: boolean;
  /** Answer the sender of a broadcast. */
  readonly ack: boolean;
  /** Send broadcasts back to their sender. */
  readonly self: boolean;
  readonly presenceEnabled: boolean;
  /** A random one when the client names none. */
  readonly presenceKey: string;
  /** Null: use the socket's. */
  readonly token: string | null;
};

export function parseJoinRequest(payload: unknown): Result<JoinRequest, string> {
  const params = isJsonObject(payload) ? payload : {};
  const config = params['config'] ?? {};
  if (!isJsonObject(config)) return err('UnknownErrorOnChannel: config must be an object');
  const broadcast = isJsonObject(config['broadcast']) ? config['broadcast'] : {};
  const presence = isJsonObject(config['presence']) ? config['presence'] : {};
  const key = presence['key'];
  return ok({
    private: flag(config['private']),
    ack: flag(broadcast['ack']),
    self: flag(broadcast['self']),
    presenceEnabled: flag(presence['enabled']),
    presenceKey: typeof key === 'string' && key !== '' ? key : randomUUID(),
    token: [params['user_token'], params['access_token']].find((token) => typeof token === 'string') ?? null,
  });
}

/** Clients in other languages send booleans as text. */
const flag = (value: unknown) => value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
