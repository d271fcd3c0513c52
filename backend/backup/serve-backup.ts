// Answers with a backup when the caller has the service key. The backup is complete on disk before it is sent: a
// partial one must not look complete.
import { timingSafeEqual } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearerOf } from '../keys/bearer.ts';
import { streamFile } from '../storage/stream-file.ts';
import { isDiskFull } from './disk-full.ts';
import { type BackupParts, writeBackup } from './write-backup.ts';

/** `dir` is the folder for the complete backup; null means the system's folder for temporary files. */
export async function serveBackup(request: Request, parts: BackupParts, dir: string | null): Promise<Response> {
  const key = bearerOf(request.headers.get('authorization')) ?? '';
  if (!isSame(key, parts.keys.serviceRoleKey)) return new Response('The service key is missing.', { status: 401 });
  try {
    return await sendBackup(parts, dir ?? tmpdir(), request.signal);
  } catch (error) {
    // The end of the sentence that `requestBackup` prints.
    if (isDiskFull(error)) return new Response('its disk is full.', { status: 507 });
    throw error;
  }
}

async function sendBackup(parts: BackupParts, dir: string, signal: AbortSignal): Promise<Response> {
  const draft = await mkdtemp(join(dir, '.backup-'));
  const forget = () => rm(draft, { recursive: true, force: true });
  try {
    const file = join(draft, 'backup.tar');
    await writeBackup(parts, file, signal);
    const handle = await open(file, 'r');
    const { size } = await handle.stat();
    return new Response(streamFile(handle, { start: 0, end: size - 1 }, forget), {
      headers: { 'content-type': 'application/x-tar', 'content-length': String(size), 'cache-control': 'no-store' },
    });
  } catch (error) {
    await forget();
    throw error;
  }
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
