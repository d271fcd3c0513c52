// Decides what the owner of a channel's token may do on its topic. As in Supabase Realtime, it checks the policies for
// reading at the join, those for writing at the first send, and again only with another token. Public topics have no
// policies.
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { TokenIdentity, VerifyToken } from '../../keys/token.ts';
import type { Authorization, Extension } from '../topic/authorization.ts';
import type { TopicName } from '../topic/topic-hub.ts';

export type RightsServices = { readonly authorization: Authorization; readonly verifyToken: VerifyToken };

/** The reason of a refusal, as worded in the answer to a join and in a system message on the channel. */
export type ChannelRefusal = { readonly atJoin: string; readonly onChannel: string };

export class ChannelRights {
  readonly #services: RightsServices;
  readonly #topic: TopicName;
  readonly #write = new Map<Extension, boolean>();
  readonly #read: Map<Extension, boolean>;
  readonly token: string;
  readonly identity: TokenIdentity;

  private constructor(
    services: RightsServices,
    topic: TopicName,
    token: string,
    identity: TokenIdentity,
    read: Map<Extension, boolean>,
  ) {
    this.#services = services;
    this.#topic = topic;
    this.token = token;
    this.identity = identity;
    this.#read = read;
  }

  /** Refuses an invalid token, and one that may read none of the extensions. */
  static async of(
    services: RightsServices,
    topic: TopicName,
    token: string,
    extensions: readonly Extension[],
  ): Promise<Result<ChannelRights, ChannelRefusal>> {
    const verified = await services.verifyToken(token);
    if (!verified.ok) return verified;
    const read = new Map<Extension, boolean>();
    if (topic.private) {
      const readable = await services.authorization.readable(verified.value, topic.name, extensions);
      if (readable.length === 0) return err(forbidden(topic.name));
      for (const extension of extensions) read.set(extension, readable.includes(extension));
    }
    return ok(new ChannelRights(services, topic, token, verified.value, read));
  }

  /** False too for an extension that was never checked. */
  mayRead(extension: Extension): boolean {
    return !this.#topic.private || this.#read.get(extension) === true;
  }

  /** Asks the policies when presence begins after the join. */
  async askToRead(extension: Extension): Promise<void> {
    if (!this.#topic.private || this.#read.has(extension)) return;
    const readable = await this.#services.authorization.readable(this.identity, this.#topic.name, [extension]);
    this.#read.set(extension, readable.includes(extension));
  }

  async mayWrite(extension: Extension): Promise<boolean> {
    if (!this.#topic.private) return true;
    const known = this.#write.get(extension);
    if (known !== undefined) return known;
    const allowed = await this.#services.authorization.mayWrite(this.identity, this.#topic.name, extension);
    // Null: the policies could not be asked. The next send asks again.
    if (allowed !== null) this.#write.set(extension, allowed);
    return allowed === true;
  }
}

function forbidden(topic: string): ChannelRefusal {
  const onChannel = `You do not have permissions to read from this Channel topic: ${topic}`;
  return { atJoin: `Unauthorized: ${onChannel}`, onChannel };
}
