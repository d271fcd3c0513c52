// Knows which channels are on which topic, and publishes messages to them. Knows neither sockets nor the database.
import type { Delivery } from '../wire/delivery.ts';
import { type PresenceLimits, TopicPresence } from './topic-presence.ts';

/** A channel of a socket. */
export type TopicMember = { readonly deliver: (delivery: Delivery) => void };

/** A private topic and a public topic of the same name are different topics. */
export type TopicName = { readonly name: string; readonly private: boolean };

export class Topic {
  readonly members = new Set<TopicMember>();
  readonly presence: TopicPresence;

  constructor(limits: PresenceLimits) {
    this.presence = new TopicPresence(limits);
  }

  /** Delivers to every member except `except`. */
  publish(delivery: Delivery, except: TopicMember | null): void {
    for (const member of this.members) if (member !== except) member.deliver(delivery);
  }
}

export class TopicHub {
  readonly #limits: PresenceLimits;
  readonly #topics = new Map<string, Topic>();

  constructor(limits: PresenceLimits) {
    this.#limits = limits;
  }

  enter(name: TopicName, member: TopicMember): Topic {
    const key = keyOf(name);
    let topic = this.#topics.get(key);
    if (topic === undefined) {
      topic = new Topic(this.#limits);
      this.#topics.set(key, topic);
    }
    topic.members.add(member);
    return topic;
  }

  leave(name: TopicName, member: TopicMember): void {
    const key = keyOf(name);
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    topic.members.delete(member);
    if (topic.members.size === 0) this.#topics.delete(key);
  }

  /** Null when the topic has no members. */
  find(name: TopicName): Topic | null {
    return this.#topics.get(keyOf(name)) ?? null;
  }
}

const keyOf = (name: TopicName) => `${name.private ? 'private' : 'public'}:${name.name}`;
