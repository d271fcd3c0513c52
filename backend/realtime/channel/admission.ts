// Decides about a phx_join: returns the rights of the new channel, or the reason of the refusal in the words of
// Supabase Realtime.
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { isApiKey } from '../../keys/token.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Extension } from '../topic/authorization.ts';
import type { TopicName } from '../topic/topic-hub.ts';
import { jsonSize } from '../wire/payload-size.ts';
import { type Ref, TOPIC_PREFIX } from '../wire/wire-message.ts';
import { ChannelRights, type RightsServices } from './channel-rights.ts';
import { type JoinRequest, parseJoinRequest } from './join-request.ts';

export type AdmissionServices = RightsServices & {
  readonly options: RealtimeOptions;
  readonly quotas: Quotas;
};

export type Admission = {
  /** With the prefix, as sent by the client. */
  readonly topic: string;
  readonly joinRef: Ref;
  readonly request: JoinRequest;
  readonly rights: ChannelRights;
};

export type Join = {
  readonly topic: string;
  readonly joinRef: Ref;
  readonly payload: unknown;
  /** Used for joins without a token, or with an API key in its place. */
  readonly socketToken: string;
  readonly socket: object;
  /** The number of channels that the socket already has. */
  readonly channels: number;
};

/** `closesSocket` means that the server closes the socket after sending the reason. */
export type JoinRefusal = { readonly reason: string; readonly closesSocket: boolean };

export async function admit(services: AdmissionServices, join: Join): Promise<Result<Admission, JoinRefusal>> {
  const { topic, joinRef } = join;
  if (Buffer.byteLength(topic) + jsonSize(join.payload) > services.options.maxJoinBytes) {
    return refuse('UnknownErrorOnChannel: the join is too large');
  }
  const request = parseJoinRequest(join.payload);
  if (!request.ok) return refuse(request.error);
  const name = topicName(topic, request.value);
  if (name.name === '') return refuse('TopicNameRequired: You must provide a topic name');
  const exceeded = checkLimits(services, join, name);
  if (exceeded !== null) return err(exceeded);

  const { token, presenceEnabled } = request.value;
  const rights = await ChannelRights.of(
    services,
    name,
    token === null || isApiKey(token) ? join.socketToken : token,
    extensionsOf(presenceEnabled),
  );
  if (!rights.ok) return refuse(rights.error.atJoin);
  return ok({ topic, joinRef, request: request.value, rights: rights.value });
}

/**
 * Checks the limits in the order of Supabase Realtime. A join counts against the rate even when it is refused later.
 */
function checkLimits({ options, quotas }: AdmissionServices, join: Join, name: TopicName): JoinRefusal | null {
  if (options.privateOnly && !name.private) {
    return { reason: 'PrivateOnly: This project only allows private channels', closesSocket: false };
  }
  if (!quotas.isUser(join.socket) && quotas.tooManyUsers) {
    return { reason: 'ConnectionRateLimitReached: Too many connected users', closesSocket: false };
  }
  if (quotas.tooManyJoins) {
    return { reason: 'ClientJoinRateLimitReached: Too many joins per second', closesSocket: true };
  }
  quotas.countJoin();
  if (join.channels >= options.maxChannels) {
    return { reason: 'ChannelRateLimitReached: Too many channels', closesSocket: false };
  }
  return null;
}

const refuse = (reason: string): Result<never, JoinRefusal> => err({ reason, closesSocket: false });

export const topicName = (topic: string, request: JoinRequest): TopicName => ({
  name: topic.slice(TOPIC_PREFIX.length),
  private: request.private,
});

/** Presence is checked only where the client uses it. */
export const extensionsOf = (presence: boolean): readonly Extension[] =>
  presence ? ['broadcast', 'presence'] : ['broadcast'];
