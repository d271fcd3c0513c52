// zlib compression, as snapshots are stored. Browsers and Node both have these streams, and both verify the checksum.
import { type Bytes, concatBytes } from './bytes.ts';

export const deflate = (bytes: Bytes): Promise<Bytes> =>
  pipe(bytes, new CompressionStream('deflate'), Number.POSITIVE_INFINITY);

/**
 * Rejects if the bytes are not zlib, end too early, or inflate to more than `maxBytes`: 20 MiB can inflate to 20 GiB.
 */
export const inflate = (bytes: Bytes, maxBytes: number): Promise<Bytes> =>
  pipe(bytes, new DecompressionStream('deflate'), maxBytes);

async function pipe(bytes: Bytes, stream: CompressionStream | DecompressionStream, maxBytes: number): Promise<Bytes> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw new RangeError(`unfolds to more than ${maxBytes} bytes`);
    }
    parts.push(read.value);
  }
  return concatBytes(parts);
}
