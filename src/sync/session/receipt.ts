// The receipt: what the page says about the user's edits (SPECIFICATION.md, section 4). It never says "saved" before the
// append was answered.
import type { State } from '../connection/machine.ts';
import type { Receipt } from './views.ts';

export type ReceiptFacts = {
  readonly isReady: boolean;
  readonly state: State;
  /** Unacknowledged edits, those of recovered outboxes included. */
  readonly unsent: number;
  /** Edits that are shown here and that another tab of this browser has not sent yet. */
  readonly ofOtherTabs: number;
  readonly isRefused: boolean;
  /** Some of the unsent edits are not in the store (WF012). */
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
    // SY13. The view counts those that the store has confirmed.
    return facts.unsent > facts.beingStored ? 'device' : 'sending';
  }
  if (!facts.isReady) return 'opening';
  if (reason !== null) return 'readonly';
  // Any tab of this browser with a network sends them.
  if (facts.ofOtherTabs > 0) return isUnderWay ? 'sending' : 'device';
  return 'saved';
}
