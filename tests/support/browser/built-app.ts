// Before the end-to-end tests: the app in dist/ is the one in src/, and one data directory is made by a first start, of
// which every server of a test gets a copy. What a first start does is the subject of start-command and cli.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildWhenNeeded } from '../../../scripts/setup/build-when-needed.mjs';
import { WeftServer } from '../server/weft-server.ts';
import { temporaryFolder } from '../server/temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data directory that nobody uses. Absent outside of the project `e2e`. */
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
