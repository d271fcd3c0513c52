// How many edits are on this device only, as a sentence.
import type { Unsent } from '../../../sync/ports.ts';

export function unsentSummary(unsentPages: readonly Pick<Unsent, 'edits'>[]): string {
  const edits = unsentPages.reduce((sum, one) => sum + one.edits, 0);
  const pages = unsentPages.length === 1 ? '1 page' : `${unsentPages.length} pages`;
  return `${edits === 1 ? '1 edit' : `${edits} edits`} on ${pages} ${edits === 1 ? 'is' : 'are'} on this device only.`;
}
