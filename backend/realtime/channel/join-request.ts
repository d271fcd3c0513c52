// Parses the payload of phx_join. As in Supabase Realtime, a missing or ill-typed field of `config` gets its default.
import { randomUUID } from 'node:crypto';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { isJsonObject } from '../wire/wire-message.ts';

export type JoinRequest = {
  readonly private: boolean;
  /** Reply to the sender of a broadcast. */
  readonly ack: boolean;
  /** Send broadcasts back to their sender. */
  readonly self: boolean;
  readonly presenceEnabled: boolean;
  /** Random when the client names none. */
  readonly presenceKey: string;
  /** Null means the socket's token. */
  readonly token: string | null;
};

export function parseJoinRequest(payload: unknown): Result<JoinRequest, string> {
  const params = isJsonObject(payload) ? payload : {};
  const config = params['config'] ?? {};
  if (!isJsonObject(config)) return err('UnknownErrorOnChannel: config must be an object');
  const broadcast = isJsonObject(config['broadcast']) ? config['broadcast'] : {};
  const presence = isJsonObject(config['presence']) ? config['presence'] : {};
  const key = presence['key'];
  const token = params['access_token'];
  const changes = config['postgres_changes'];
  // Supabase Realtime would subscribe to the changes. realtime-js sends an empty list with every join.
  if (Array.isArray(changes) && changes.length > 0) {
    return err('PostgresChangesNotSupported: This server does not send postgres_changes');
  }
  if ((broadcast['replay'] ?? null) !== null)
    return err('UnableToReplayMessages: This server does not replay messages');
  return ok({
    private: config['private'] === true,
    ack: broadcast['ack'] === true,
    self: broadcast['self'] === true,
    presenceEnabled: presence['enabled'] === true,
    presenceKey: typeof key === 'string' && key !== '' ? key : randomUUID(),
    token: typeof token === 'string' ? token : null,
  });
}
