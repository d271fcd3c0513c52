// `npm run test:supabase-cli`: the official Supabase CLI applies the migrations to a database prepared like a hosted project, as
// an owner who is no superuser, and its advisors look at the result. npx fetches the CLI (135 MB unpacked, too large for
// everyone's `npm ci`); with an argument, another version of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { isOfFirstRelease } from '../../../backend/database/first-release.ts';
import { prepareUpgrade } from '../../../backend/database/upgrade.ts';
import { startTemporaryCluster } from '../../../backend/postgres/cluster.ts';
import { ROOT } from '../../../scripts/root.mjs';
import { migrationsFromBefore } from '../../support/database/before-first-release.ts';
import { connected, databaseUrl } from '../../support/database/database-names.ts';
import { describeSchema } from '../../support/database/describe-schema.ts';
import { PROJECT_OWNER, makeEmptyProject, makeHostedProject } from '../../support/database/hosted-project.ts';

const [cli = 'supabase@3.1.0'] = process.argv.slice(2);
const PASSWORD = 'owner';

/** Advice that cannot be followed: nothing has used an index of a new database, and all writes go through functions. */
const EXPECTED_ADVICE = /^(?:unused_index|(?:anon|authenticated)_security_definer_function_executable)$/;

const adviceForm = v.object({
  results: v.array(v.object({ name: v.string(), level: v.string(), detail: v.optional(v.string(), '') })),
});

async function main(): Promise<void> {
  const server = await startTemporaryCluster((line) => process.stderr.write(`${line}\n`));
  const proxy = await listenByTcp(server.url);
  try {
    const project = await makeEmptyProject(server.url);
    await letOwnerPush(databaseUrl(server.url, project));
    const remoteOf = (name: string) =>
      `--remote=postgresql://${PROJECT_OWNER}:${PASSWORD}@127.0.0.1:${proxy.port}/${name}?sslmode=disable`;
    const remote = remoteOf(project);
    const { text } = await supabase(['db', 'push', remote]);
    process.stdout.write(text);
    assert.doesNotMatch(text, /deprecated/);
    assert.deepEqual(
      await versionsIn(databaseUrl(server.url, project)),
      readdirSync(join(ROOT, 'supabase/migrations'))
        .map((name) => name.slice(0, 14))
        .toSorted(),
    );
    assert.match((await supabase(['db', 'push', remote])).text, /up to date/);
    // Our backend may open the database afterwards: it knows the migrations again.
    await connected(databaseUrl(server.url, project), (client) =>
      prepareUpgrade(client, { migrationsDir: join(ROOT, 'supabase/migrations'), copy: null, log: assert.fail }),
    );
    const old = await makeHostedProject(server.url, (file) => isOfFirstRelease({ version: file.slice(0, 14) }));
    await letOwnerPush(databaseUrl(server.url, old));
    await goOnFromBefore(databaseUrl(server.url, old), remoteOf(old));
    const tested = await linesOf(databaseUrl(server.url, await makeHostedProject(server.url)));
    for (const one of [project, old])
      assert.deepEqual(await linesOf(databaseUrl(server.url, one)), tested, 'the CLI made what the other tests check');
    const advice = await adviceOn(remote);
    assert.deepEqual(
      advice.filter(({ name }) => !EXPECTED_ADVICE.test(name)),
      [],
    );
    process.stdout.write(`${cli} applied the migrations; the advisors are content.\n`);
  } finally {
    proxy.close();
    await server.stop();
  }
}

/** The commands of docs/supabase.md for a project from before the first release, which has the schema of that release. */
async function goOnFromBefore(url: string, remote: string): Promise<void> {
  const versions = readdirSync(join(ROOT, 'supabase/migrations'))
    .map((name) => name.slice(0, 14))
    .toSorted();
  const before = Object.keys(await migrationsFromBefore()).map((name) => name.slice(0, 14));
  await connected(url, async (client) => {
    await client.query(`set role ${PROJECT_OWNER}`);
    await client.query('create schema supabase_migrations');
    await client.query(
      'create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)',
    );
    await client.query('insert into supabase_migrations.schema_migrations (version) select unnest($1::text[])', [
      before,
    ]);
  });
  await assert.rejects(supabase(['db', 'push', remote]), /not found/);
  await supabase(['migration', 'repair', remote, '--status', 'reverted', ...before]);
  const ofFirstRelease = versions.filter((version) => isOfFirstRelease({ version }));
  await supabase(['migration', 'repair', remote, '--status', 'applied', ...ofFirstRelease]);
  await supabase(['db', 'push', remote]);
  assert.match((await supabase(['db', 'push', remote])).text, /up to date/);
  assert.deepEqual(await versionsIn(url), versions);
}

/** Resolves with what the CLI wrote: all of it, and only the output. Rejects if it fails. */
function supabase(args: readonly string[]): Promise<{ readonly text: string; readonly output: string }> {
  const child = spawn('npx', ['--yes', cli, ...args, '--workdir', ROOT, '--yes', '--agent', 'no'], {
    cwd: ROOT,
    env: { ...process.env, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [text, output] = ['', ''];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
  child.stdout.on('data', (part) => (output += String(part)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve({ text, output }) : reject(new Error(`supabase ${args.join(' ')}: ${code}\n${text}`)),
    );
  });
}

async function adviceOn(remote: string): Promise<v.InferOutput<typeof adviceForm>['results']> {
  const { output } = await supabase(['db', 'advisors', remote, '--level', 'info', '--output-format', 'json']);
  return v.parse(adviceForm, JSON.parse(output)).results;
}

/** The CLI connects by TCP, and the temporary PostgreSQL listens on a Unix socket. */
async function listenByTcp(url: string) {
  const { searchParams } = new URL(url);
  const path = join(searchParams.get('host') ?? '', `.s.PGSQL.${searchParams.get('port') ?? '5432'}`);
  const server = createServer((from) => {
    const to = connect({ path });
    from.pipe(to).pipe(from);
    for (const one of [from, to]) one.on('error', () => [from, to].forEach((end) => end.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return { port: address.port, close: () => void server.close() };
}

async function letOwnerPush(url: string): Promise<void> {
  await connected(url, async (client) => {
    await client.query(`alter role ${PROJECT_OWNER} login password '${PASSWORD}'`);
    // On a hosted project, the extension supautils lets the project's owner create policies on these tables.
    for (const table of ['realtime.messages', 'storage.objects'])
      await client.query(`alter table ${table} owner to ${PROJECT_OWNER}`);
  });
}

const versionsIn = (url: string) =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations order by version',
    );
    return rows.map(({ version }) => version);
  });

const linesOf = (url: string) =>
  connected(url, (client) => describeSchema(async (sql) => (await client.query(sql)).rows));

await main();
