// A channel's subscriptions to changes of tables: renewed with each token, removed with the channel.
import {
  type ChangeFeed,
  type ChangeListener,
  type ChangeSubscription,
  newSubscription,
} from '../changes/change-feed.ts';
import { changeId, parseChangeRequest } from '../changes/change-request.ts';
import type { Identity } from '../../keys/token.ts';
import type { JsonObject } from '../wire/wire-message.ts';

export type ChangesOutcome = { readonly status: 'ok' | 'error'; readonly message: string };

export class ChannelChanges {
  readonly #feed: ChangeFeed;
  readonly #listener: ChangeListener;
  readonly #params: readonly JsonObject[];
  #subscriptions: readonly ChangeSubscription[] = [];
  /** Subscribing and unsubscribing run one after the other, so that they cannot overtake each other in the database. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(feed: ChangeFeed, listener: ChangeListener, params: readonly JsonObject[]) {
    this.#feed = feed;
    this.#listener = listener;
    this.#params = params;
  }

  /** For the reply to the join: the requested subscriptions, each with the id that its changes will carry. */
  get joinReply(): readonly JsonObject[] {
    return this.#params.map((params) => ({ ...params, id: changeId(params) }));
  }

  /** Returns null when the client requested no changes. */
  async subscribe(identity: Identity): Promise<ChangesOutcome | null> {
    if (this.#params.length === 0) return null;
    const outcome = this.#work.then(() => this.#subscribe(identity));
    this.#work = outcome;
    return outcome;
  }

  end(): void {
    void this.#work.then(() => {
      if (this.#subscriptions.length > 0) this.#feed.unsubscribe(this.#subscriptions);
    });
  }

  async #subscribe(identity: Identity): Promise<ChangesOutcome> {
    if (this.#subscriptions.length === 0) {
      const subscriptions: ChangeSubscription[] = [];
      for (const params of this.#params) {
        const request = parseChangeRequest(params);
        if (!request.ok) return { status: 'error', message: request.error };
        subscriptions.push(newSubscription(changeId(params), request.value));
      }
      this.#subscriptions = subscriptions;
    }
    const outcome = await this.#feed.subscribe(this.#listener, identity, this.#subscriptions);
    return outcome.ok
      ? { status: 'ok', message: 'Subscribed to PostgreSQL' }
      : { status: 'error', message: outcome.error };
  }
}
