// Puts every unsent page of this device into one JSON file: its text to read, and its Yjs update to apply.
import type { Bytes } from '../../../lib/bytes.ts';
import type { UnsentCopy } from '../../../ports/device.ts';

export function unsentFile(
  pages: readonly UnsentCopy[],
  savedAt: Date,
): { readonly bytes: Bytes; readonly name: string } {
  const content = { savedBy: 'Weft', savedAt: savedAt.toISOString(), pages };
  return {
    bytes: new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`),
    name: `weft-unsent-edits-${savedAt.toISOString().slice(0, 10)}.json`,
  };
}
