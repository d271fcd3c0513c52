// zlib, as snapshots are stored. The streams are part of browsers and of Node; both sides check the checksum.
import type { Bytes } from './bytes.ts';

export const deflate = (bytes: Bytes): Promise<Bytes> => through(bytes, new CompressionStream('deflate'));

/** Rejects when the bytes are not zlib or end too early. */
export const inflate = (bytes: Bytes): Promise<Bytes> => through(bytes, new DecompressionStream('deflate'));

async function through(bytes: Bytes, stream: CompressionStream | DecompressionStream): Promise<Bytes> {
  const body = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}
