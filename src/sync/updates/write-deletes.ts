// Writes the deletions at the end of an update of Yjs (V1).
import * as encoding from 'lib0/encoding';

export type DeletedRange = { readonly client: number; readonly clock: number; readonly len: number };

export function writeDeletes(out: encoding.Encoder, ranges: readonly DeletedRange[]): void {
  const byClient = Map.groupBy(ranges, ({ client }) => client);
  encoding.writeVarUint(out, byClient.size);
  for (const [client, own] of byClient) {
    encoding.writeVarUint(out, client);
    encoding.writeVarUint(out, own.length);
    for (const { clock, len } of own) {
      encoding.writeVarUint(out, clock);
      encoding.writeVarUint(out, len);
    }
  }
}
