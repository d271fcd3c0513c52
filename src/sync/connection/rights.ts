// The rights of this user as far as this tab knows them (L6). They change with the topic's name (the epoch) and with
// the role, and answers may bring both out of order.
import { type DocumentRole, mayEdit } from '../protocol/roles.ts';
import type { Epoch } from '../protocol/topics.ts';
import { isNewerEpoch } from './epoch.ts';

/** Someone's rights have changed. */
export type RightsEvent = { readonly type: 'epochMoved' };

export class Rights {
  #epoch: Epoch | null = null;
  #role: DocumentRole | null = null;
  /** The channel was joined by a reader who may write now. */
  #mustRejoin = false;
  readonly #emit: (event: RightsEvent) => void;

  constructor(emit: (event: RightsEvent) => void) {
    this.#emit = emit;
  }

  get epoch(): Epoch | null {
    return this.#epoch;
  }

  get role(): DocumentRole | null {
    return this.#role;
  }

  /** The role that the device remembers. */
  restore(role: DocumentRole | null): void {
    this.#role = role;
  }

  /** The channel is joined anew, with the current rights. */
  joining(): void {
    this.#mustRejoin = false;
  }

  /**
   * The open call decides, whether its epoch is older or newer. True: the joined topic (`joined`, null when none is) is
   * no longer the right one.
   */
  opened(role: DocumentRole, epoch: Epoch, joined: Epoch | null): boolean {
    this.#learnRole(role);
    this.#learnEpoch(epoch);
    return joined !== null && (joined !== epoch || this.#mustRejoin);
  }

  /** As `opened`, for any other answer. Those may arrive out of order. */
  answered(role: DocumentRole, epoch: Epoch, joined: Epoch | null): boolean {
    this.#learnRole(role);
    if (this.#epoch === null || isNewerEpoch(epoch, this.#epoch)) this.#learnEpoch(epoch);
    return joined !== null && (isNewerEpoch(epoch, joined) || this.#mustRejoin);
  }

  /**
   * When a reader becomes a writer, the channel has to be joined anew: Realtime decided at the channel's first message
   * whether this tab may send, and silently drops what it sends. Remembered until that is done, because offline the
   * machine does not move (simulation without live updates, seed 175).
   */
  #learnRole(role: DocumentRole): void {
    if (this.#role !== null && !mayEdit(this.#role) && mayEdit(role)) this.#mustRejoin = true;
    this.#role = role;
  }

  #learnEpoch(epoch: Epoch): void {
    const isOther = this.#epoch !== null && this.#epoch !== epoch;
    this.#epoch = epoch;
    if (isOther) this.#emit({ type: 'epochMoved' });
  }
}
