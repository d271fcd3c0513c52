// What the page says about the user's edits: SPECIFICATION.md, point 4. Never "saved" before the append was answered.
import type { State } from '../connection/machine.ts';
import type { Receipt } from './views.ts';

export type ReceiptFacts = {
  readonly isReady: boolean;
  readonly state: State;
  /** Edits without an acknowledgement, recovered ones included. */
  readonly unsent: number;
  /** Shown here, and not sent yet by the tab of this browser that wrote them. */
  readonly ofOtherTabs: number;
  readonly isRefused: boolean;
  /** Some of them are not in the store (WF012). */
  readonly onlyInMemory: boolean;
  /** How many the store has not confirmed yet. */
  readonly beingStored: number;
  readonly lastTryFailed: boolean;
};

export function receiptOf(facts: ReceiptFacts): Receipt {
  if (facts.isRefused) return 'refused';
  const { state } = facts;
  const reason = state.status === 'readOnly' ? state.reason : null;
  const isUnderWay = (state.status === 'live' || state.status === 'reconnecting') && !facts.lastTryFailed;
  if (facts.unsent > 0) {
    if (reason === 'role' || reason === 'noAccess') return 'refused';
    if (facts.onlyInMemory) return 'tab';
    if (isUnderWay) return 'sending';
    // Nothing is on this device before the store has said so.
    return facts.unsent > facts.beingStored ? 'device' : 'sending';
  }
  if (!facts.isReady) return 'opening';
  if (reason !== null) return 'readonly';
  // Whoever of this browser's tabs has a network brings them.
  if (facts.ofOtherTabs > 0) return isUnderWay ? 'sending' : 'device';
  return 'saved';
}
