// How many edits are on this device only, as a sentence.
import type { Unsent } from 'weft-sync/ports.ts';
import { counted } from '../../../lib/text/counted.ts';

export function unsentSummary(unsentPages: readonly Pick<Unsent, 'edits'>[]): string {
  const edits = unsentPages.reduce((sum, one) => sum + one.edits, 0);
  const pages = counted(unsentPages.length, 'page');
  return `${counted(edits, 'edit')} on ${pages} ${edits === 1 ? 'is' : 'are'} on this device only.`;
}
