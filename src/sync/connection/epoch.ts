// The order of topic epochs: `<documents.epoch>.<workspaces.epoch>`. Both numbers only grow, unless the server is restored from
// an earlier state: then the answer to the open call decides (`Rights.opened`).
import type { Epoch } from '../protocol/topics.ts';

/** Answers may arrive out of order: an epoch older than the current one means nothing. */
export function isNewerEpoch(a: Epoch, b: Epoch): boolean {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  return left.some((part, at) => part > (right[at] ?? -1));
}
