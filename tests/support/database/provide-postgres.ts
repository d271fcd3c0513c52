// vitest's global set-up: one bundled PostgreSQL for all test files of a run, with a template for each kind of database. Server
// and templates are made when a test first needs them, so that a run without a database starts none.
import { createServer } from 'node:http';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { assert } from '../../../src/lib/assert.ts';
import type { TemplateName } from './databases.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers `/` with the URL of the server, and `/<template>` with the name of a database to copy. */
    postgresService: string;
  }
}

/** Several test files run at once, each with a backend that opens up to 17 connections. */
const SETTINGS = ['max_connections=300'];

type Server = { readonly url: string; readonly stop: () => Promise<void> };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Server> | null = null;
  const templates = new Map<string, Promise<string>>();
  // One after the other: each creates roles, which belong to the whole server.
  let making: Promise<unknown> = Promise.resolve();
  const answer = async (path: string): Promise<string> => {
    const { url } = await (server ??= startServer());
    if (path === '/') return url;
    const { templateMakers } = await import('./templates.ts');
    const name = path.slice(1);
    assert(isTemplate(name, templateMakers), `there is a template ${name}`);
    const made = templates.get(name) ?? making.then(() => templateMakers[name](url));
    templates.set(name, made);
    making = made.catch(() => {});
    return made;
  };
  const service = createServer((incoming, outgoing) => {
    answer(incoming.url ?? '/').then(
      (text) => outgoing.end(text),
      (error: unknown) => outgoing.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  assert(address !== null && typeof address === 'object', 'the service listens on a port');
  project.provide('postgresService', `http://127.0.0.1:${address.port}`);
  return async () => {
    service.closeAllConnections();
    service.close();
    await (await server)?.stop();
  };
}

const isTemplate = (name: string, makers: object): name is TemplateName => name in makers;

/** `TEST_DATABASE_URL` is the URL of another PostgreSQL, with a superuser. Tests leave only their templates there. */
async function startServer(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'] ?? '';
  if (given !== '') return { url: given, stop: async () => {} };
  const { startTemporaryCluster } = await import('../../../backend/postgres/cluster.ts');
  const server = await startTemporaryCluster((line) => process.stderr.write(`${line}\n`), SETTINGS);
  return { url: server.url, stop: () => server.stop() };
}
