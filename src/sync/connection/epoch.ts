// Order of topic epochs: `<documents.epoch>.<workspaces.epoch>`, both only ever raised.
import type { Epoch } from '../../protocol/topics.ts';

/** Answers may arrive out of order: an older epoch than the one we are on means nothing. */
export function isNewerEpoch(a: Epoch, b: Epoch): boolean {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  return left.some((part, at) => part > (right[at] ?? -1));
}
