// L6: what this tab knows of its rights. They change with the topic's name (the epoch) and with the role, and answers
// may bring both out of order.
import type { DocumentRole } from '../../protocol/roles.ts';
import { mayEdit } from '../../protocol/roles.ts';
import type { Epoch } from '../../protocol/topics.ts';
import { isNewerEpoch } from './epoch.ts';

/** Somebody's rights have changed. */
export type RightsEvent = { readonly type: 'epochMoved' };

export class Rights {
  #epoch: Epoch | null = null;
  #role: DocumentRole | null = null;
  /** The channel was joined by a reader, who writes now. */
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

  /** As the device remembers it. */
  restore(role: DocumentRole | null): void {
    this.#role = role;
  }

  /** The channel is joined anew with the rights of now. */
  joining(): void {
    this.#mustRejoin = false;
  }

  /**
   * The open call's word holds, older or newer. True: the topic that is joined (`joined`, null when none is) is not the
   * right one any more.
   */
  opened(role: DocumentRole, epoch: Epoch, joined: Epoch | null): boolean {
    this.#learnRole(role);
    this.#learnEpoch(epoch);
    return joined !== null && (joined !== epoch || this.#mustRejoin);
  }

  /** The same for any other answer; those may arrive out of order. */
  answered(role: DocumentRole, epoch: Epoch, joined: Epoch | null): boolean {
    this.#learnRole(role);
    if (this.#epoch === null || isNewerEpoch(epoch, this.#epoch)) this.#learnEpoch(epoch);
    return joined !== null && (isNewerEpoch(epoch, joined) || this.#mustRejoin);
  }

  /**
   * Who may write from now on. Realtime decided at the first message of the channel whether this tab may send,
   * and keeps to that: live updates into it would go nowhere, without a word, so it has to be joined anew. Kept until
   * that is done: offline the machine does not move (simulated world, seed 175 in log-only mode).
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
