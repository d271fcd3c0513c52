// The way from a phx_join to the rights of a channel, or to the reason of the refusal, word for word.
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Extension } from '../topic/authorization.ts';
import { ChannelRights, type RightsServices } from './channel-rights.ts';
import { type JoinRequest, parseJoinRequest } from './join-request.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import type { Quotas } from '../limits/quotas.ts';
import { type Replay, type ReplayedMessage, parseReplay } from '../messages/replay.ts';
import { isApiKey } from '../../keys/token.ts';
import { TOPIC_PREFIX, type TopicName } from '../topic/topic-hub.ts';
import { type Ref, isJsonObject } from '../wire/wire-message.ts';

export type AdmissionServices = RightsServices & {
  readonly options: RealtimeOptions;
  readonly quotas: Quotas;
  readonly replay: Replay;
};

export type Admission = {
  /** As on the wire, with its prefix. */
  readonly topic: string;
  readonly joinRef: Ref;
  readonly request: JoinRequest;
  readonly rights: ChannelRights;
  /** Oldest first: what the channel begins with. */
  readonly replayed: readonly ReplayedMessage[];
};

export type Join = {
  readonly topic: string;
  readonly joinRef: Ref;
  readonly payload: unknown;
  /** For joins that bring no token, or an api key in its place. */
  readonly socketToken: string;
  readonly socket: object;
  /** Those that the socket has already. */
  readonly channels: number;
};

/** `endsSocket`: the reason is the last thing it hears. */
export type JoinRefusal = { readonly reason: string; readonly endsSocket: boolean };

export async function admit(services: AdmissionServices, join: Join): Promise<Result<Admission, JoinRefusal>> {
  const { topic, joinRef } = join;
  const request = parseJoinRequest(join.payload);
  if (!request.ok) return refuse(request.error);
  const name = topicName(topic, request.value);
  if (name.name === '') return refuse('TopicNameRequired: You must provide a topic name');
  const exceeded = countJoin(services, join, name);
  if (exceeded !== null) return err(exceeded);

  const { token, presenceEnabled } = request.value;
  const rights = await ChannelRights.of(
    services,
    name,
    token === null || isApiKey(token) ? join.socketToken : token,
    extensionsOf(presenceEnabled),
  );
  if (!rights.ok) return refuse(rights.error.atJoin);
  const replayed = await replay(services, name, request.value, rights.value);
  if (!replayed.ok) return refuse(replayed.error);
  return ok({ topic, joinRef, request: request.value, rights: rights.value, replayed: replayed.value });
}

/** What the limits have to say, in the original's order; a join that is counted counts also when it is refused later. */
function countJoin({ options, quotas }: AdmissionServices, join: Join, name: TopicName): JoinRefusal | null {
  if (options.privateOnly && !name.private) {
    return { reason: 'PrivateOnly: This project only allows private channels', endsSocket: false };
  }
  if (!quotas.isUser(join.socket) && quotas.tooManyUsers) {
    return { reason: 'ConnectionRateLimitReached: Too many connected users', endsSocket: false };
  }
  if (quotas.tooManyJoins) {
    return { reason: 'ClientJoinRateLimitReached: Too many joins per second', endsSocket: true };
  }
  quotas.countJoin();
  if (join.channels >= options.maxChannels) {
    return { reason: 'ChannelRateLimitReached: Too many channels', endsSocket: false };
  }
  return null;
}

async function replay(
  services: AdmissionServices,
  topic: TopicName,
  request: JoinRequest,
  rights: ChannelRights,
): Promise<Result<readonly ReplayedMessage[], string>> {
  const asked = request.replay;
  if (asked === undefined) return ok([]);
  if (!topic.private) return err('UnableToReplayMessages: Replay is not allowed for public channels');
  if (!rights.mayRead('broadcast')) return err(rights.forbidden.atJoin);
  if (!isJsonObject(asked)) return ok([]);
  const parsed = parseReplay(asked);
  if (!parsed.ok) return parsed;
  try {
    return ok(await services.replay(topic.name, parsed.value));
  } catch (error) {
    services.options.log(`messages could not be replayed: ${String(error)}`);
    return err('UnableToReplayMessages: Realtime was unable to replay messages');
  }
}

const refuse = (reason: string): Result<never, JoinRefusal> => err({ reason, endsSocket: false });

export const topicName = (topic: string, request: JoinRequest): TopicName => ({
  name: topic.slice(TOPIC_PREFIX.length),
  private: request.private,
});

/** Presence is asked about only where it is wanted. */
export const extensionsOf = (presence: boolean): readonly Extension[] =>
  presence ? ['broadcast', 'presence'] : ['broadcast'];
