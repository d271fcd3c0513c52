// The way from a phx_join to the rights of a channel, or to the reason of the refusal, word for word.
import { type Result, err, ok } from '../../src/lib/result.ts';
import type { Extension } from './authorization.ts';
import { ChannelRights, type RightsServices } from './channel-rights.ts';
import { type JoinRequest, parseJoinRequest } from './join-request.ts';
import { isApiKey } from './token.ts';
import type { TopicName } from './topic-hub.ts';
import type { Ref } from './wire-message.ts';

/** Every channel's topic begins with it; what follows is the name that policies see. */
export const TOPIC_PREFIX = 'realtime:';

export type Admission = {
  /** As on the wire, with its prefix. */
  readonly topic: string;
  readonly joinRef: Ref;
  readonly request: JoinRequest;
  readonly rights: ChannelRights;
};

export type Join = {
  readonly topic: string;
  readonly joinRef: Ref;
  readonly payload: unknown;
  /** For joins that bring no token, or an api key in its place. */
  readonly socketToken: string;
};

export async function admit(services: RightsServices, join: Join): Promise<Result<Admission, string>> {
  const { topic, joinRef } = join;
  const request = parseJoinRequest(join.payload);
  if (!request.ok) return request;
  const name = topicName(topic, request.value);
  if (name.name === '') return err('TopicNameRequired: You must provide a topic name');
  const { token, presenceEnabled } = request.value;
  const rights = await ChannelRights.of(
    services,
    name,
    token === null || isApiKey(token) ? join.socketToken : token,
    extensionsOf(presenceEnabled),
  );
  return rights.ok ? ok({ topic, joinRef, request: request.value, rights: rights.value }) : err(rights.error.atJoin);
}

export const topicName = (topic: string, request: JoinRequest): TopicName => ({
  name: topic.slice(TOPIC_PREFIX.length),
  private: request.private,
});

/** Presence is asked about only where it is wanted. */
export const extensionsOf = (presence: boolean): readonly Extension[] =>
  presence ? ['broadcast', 'presence'] : ['broadcast'];
