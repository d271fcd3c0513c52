// Once for all test files of vitest's project `postgres`: a server, and the database that each file's is a copy of.
import type { TestProject } from 'vitest/node';
import { dropDatabase, databaseUrl, makeBackendTemplate, makeTemplate } from './hosted-project.ts';
import { openPostgres } from './real-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absent outside of the project `postgres`. */
    realPostgres?: {
      readonly url: string;
      /** Like a new hosted project with Weft's migrations. */
      readonly template: string;
      /** As the backend makes it. */
      readonly backendTemplate: string;
      readonly description: string;
    };
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openPostgres();
  try {
    const template = await makeTemplate(server.url);
    const backendTemplate = await makeBackendTemplate(server.url);
    const { url, description } = server;
    project.provide('realPostgres', { url, template, backendTemplate, description });
    return async () => {
      for (const name of [template, backendTemplate]) await dropDatabase(databaseUrl(server.url, name));
      await server.stop();
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
