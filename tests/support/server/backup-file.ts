// Takes a backup apart and puts it together again, changed as someone with bad intentions would.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { extract, pack } from 'tar-stream';
import { ROOT } from '../../../scripts/root.mjs';

export type BackupEntry = {
  readonly name: string;
  readonly content: string | Buffer;
  /** For entries that are no files. */
  readonly type?: 'symlink' | 'link' | 'directory';
  readonly linkname?: string;
};

export async function readEntries(file: string): Promise<readonly BackupEntry[]> {
  const tar = extract();
  tar.end(await readFile(file));
  const entries: BackupEntry[] = [];
  for await (const entry of tar) entries.push({ name: entry.header.name, content: await buffer(entry) });
  return entries;
}

export async function writeEntries(file: string, entries: readonly BackupEntry[]): Promise<string> {
  const tar = pack();
  for (const { content, ...header } of entries) tar.entry(header, content);
  tar.finalize();
  await writeFile(file, await buffer(tar));
  return file;
}

/** Runs `npm run backup` or `npm run restore` and resolves with what it says, after its exit code. */
export const backupCommand = (...args: readonly string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [join(ROOT, 'backend/backup-cli.ts'), ...args]).then(
    ({ stdout }) => `0: ${stdout.trim()}`,
    (error: { readonly code?: number; readonly stderr?: string }) => `${error.code}: ${error.stderr?.trim()}`,
  );
