// Uploads the files of a backup to another Supabase project under their names. The rows of the database must be there
// already: they define the buckets.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { StartError } from '../start-error.ts';
import { ENTRIES, type StoredObject, fileEntry, storedFilesSchema } from './manifest.ts';
import { printable, readTar } from './tar.ts';

export type TargetProject = { readonly url: string; readonly serviceRoleKey: string };

/** A million files. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

/** Returns the number of files. Can be repeated: existing files are overwritten. */
export async function uploadFiles(backup: string, project: TargetProject, signal: AbortSignal): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'weft-files-'));
  let objects: ReadonlyMap<string, StoredObject> = new Map();
  let count = 0;
  try {
    for await (const entry of readTar(backup, signal)) {
      if (entry.name === ENTRIES.files) {
        const listed = v.parse(storedFilesSchema, JSON.parse(await entry.text(MAX_LIST_BYTES)));
        objects = new Map(listed.map((object) => [fileEntry(object.version), object]));
      }
      const object = objects.get(entry.name);
      if (object === undefined) continue;
      const file = join(dir, 'file');
      await entry.extract(file);
      await upload(project, object, file, signal);
      await rm(file);
      count += 1;
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  return count;
}

async function upload(
  { url, serviceRoleKey }: TargetProject,
  object: StoredObject,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const { bucket, name, mimetype, cacheControl } = object;
  const steps = [bucket, ...name.split('/')];
  // They would lead out of Storage: with the service key, to every other part of the project.
  if (steps.some((step) => step === '.' || step === '..')) {
    throw new StartError(`${printable(`${bucket}/${name}`)} is no name of a file: nothing was sent for it.`);
  }
  const path = steps.map(encodeURIComponent).join('/');
  const response = await fetch(`${url.replace(/\/+$/, '')}/storage/v1/object/${path}`, {
    method: 'POST',
    headers: {
      apikey: serviceRoleKey,
      authorization: `Bearer ${serviceRoleKey}`,
      'cache-control': cacheControl ?? 'no-cache',
      'content-type': mimetype ?? 'application/octet-stream',
      'x-upsert': 'true',
    },
    body: await readFile(file),
    signal,
  });
  const answer = await response.text();
  if (!response.ok) throw new StartError(printable(`${bucket}/${name} was not stored: ${response.status} ${answer}`));
}
