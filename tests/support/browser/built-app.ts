// vitest's global set-up for the end-to-end tests. It builds the app if src/ changed, and starts Weft once to create a data
// directory; each server of a test then gets a copy of it, which is faster than a first start.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildWhenNeeded } from '../../../scripts/setup/build-when-needed.mjs';
import { temporaryFolder } from '../server/temporary-folder.ts';
import { WeftServer } from '../server/weft-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data directory to copy, which no server uses. Only in the project `e2e`. */
    freshData?: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildWhenNeeded();
  const folder = await temporaryFolder('e2e');
  const data = join(folder, 'data');
  await (await WeftServer.start({ folder: data })).stop();
  project.provide('freshData', data);
  return () => rm(folder, { recursive: true, force: true });
}
