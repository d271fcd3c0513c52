// Once for all test files of vitest's project `postgres`: a server, and the database that each file's is a copy of.
import type { TestProject } from 'vitest/node';
import { dropDatabase, databaseUrl, makeTemplate } from './hosted-project.ts';
import { openPostgres } from './real-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absent outside of the project `postgres`. */
    realPostgres?: { readonly url: string; readonly template: string; readonly description: string };
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openPostgres();
  try {
    const template = await makeTemplate(server.url);
    project.provide('realPostgres', { url: server.url, template, description: server.description });
    return async () => {
      await dropDatabase(databaseUrl(server.url, template));
      await server.stop();
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
