// How many edits are on this device only, as a sentence.
import type { Unsent } from '../../../sync/ports.ts';

export function unsentSummary(atStake: readonly Pick<Unsent, 'edits'>[]): string {
  const edits = atStake.reduce((sum, one) => sum + one.edits, 0);
  const pages = atStake.length === 1 ? '1 page' : `${atStake.length} pages`;
  return `${edits === 1 ? '1 edit' : `${edits} edits`} on ${pages} ${edits === 1 ? 'is' : 'are'} on this device only.`;
}
