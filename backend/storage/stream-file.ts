// Streams a part of an open file, reading only on demand. Closes the file at the end, and when the reader cancels.
import type { FileHandle } from 'node:fs/promises';

export type ByteRange = { readonly start: number; /** Inclusive. */ readonly end: number };

const CHUNK_BYTES = 256 * 1024;

/** `end` must lie inside the file. `onClose` runs after the file is closed. */
export function streamFile(
  handle: FileHandle,
  { start, end }: ByteRange,
  onClose: () => Promise<void> = async () => {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start;
  const close = async () => {
    await handle.close();
    await onClose();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end + 1 - at));
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
          if (bytesRead === 0) throw new Error('the file is shorter than it was');
          at += bytesRead;
          controller.enqueue(chunk.subarray(0, bytesRead));
          if (at <= end) return;
        } catch (error) {
          await close();
          throw error;
        }
        await close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
