// Who is on which topic, and the way of a message to all of them. Knows neither sockets nor the database.
import type { Delivery } from '../wire/delivery.ts';
import { PresenceRoster } from './presence-roster.ts';

/** The topic of every channel begins with this prefix; policies see the name after it. */
export const TOPIC_PREFIX = 'realtime:';

/** One channel of one socket. */
export type Member = { readonly deliver: (delivery: Delivery) => void };

/** A private topic and the public one of the same name have nothing in common. */
export type TopicName = { readonly name: string; readonly private: boolean };

export class Topic {
  readonly members = new Set<Member>();
  readonly roster = new PresenceRoster<Member>();

  /** To everybody, or to everybody but the sender. */
  publish(delivery: Delivery, except: Member | null): void {
    for (const member of this.members) if (member !== except) member.deliver(delivery);
  }
}

export class TopicHub {
  readonly #topics = new Map<string, Topic>();

  enter(name: TopicName, member: Member): Topic {
    const key = keyOf(name);
    let topic = this.#topics.get(key);
    if (topic === undefined) {
      topic = new Topic();
      this.#topics.set(key, topic);
    }
    topic.members.add(member);
    return topic;
  }

  leave(name: TopicName, member: Member): void {
    const key = keyOf(name);
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    topic.members.delete(member);
    if (topic.members.size === 0) this.#topics.delete(key);
  }

  /** Null when nobody is there. */
  find(name: TopicName): Topic | null {
    return this.#topics.get(keyOf(name)) ?? null;
  }
}

const keyOf = (name: TopicName) => `${name.private ? 'private' : 'public'}:${name.name}`;
