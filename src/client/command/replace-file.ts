// Replaces a file as a whole: readers, and a program that starts after a power cut, find the old content or the new one.
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Only its owner may read it: a page of a private link is as secret as the link. */
const MODE = 0o600;

export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.${randomUUID().slice(0, 8)}.part`;
  try {
    const handle = await open(draft, 'wx', MODE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
