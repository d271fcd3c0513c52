// A file that was made in a folder, or renamed into it, survives a power cut only once the folder itself is on the disk.
import { open } from 'node:fs/promises';

/** Windows has no such call and needs none. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
