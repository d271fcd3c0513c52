// `npm run doctor` on embedded backends: one as Weft needs it, and one with every fault that it can have.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { diagnose } from '../../scripts/doctor/diagnose.ts';
import { err, ok } from '../../src/lib/result.ts';
import { inspectProject } from '../../src/platform/supabase/inspection/inspect-project.ts';
import { type Finding, TITLES } from '../../src/texts/project-findings.ts';
import { type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { ROOT } from '../support/sources.ts';

let backend: TestBackend;
let faulty: TestBackend;
beforeAll(async () => {
  const realtime = { connectErrorDelayMs: 1, channelErrorDelayMs: 1, log: () => undefined };
  const log = () => undefined;
  [backend, faulty] = await Promise.all([
    startTestBackend({ log, realtimeLimits: realtime }),
    startTestBackend({ log, realtimeLimits: { ...realtime, privateOnly: false }, auth: { allowsGuests: false } }),
  ]);
});
afterAll(() => Promise.all([backend.close(), faulty.close()]));

async function doctor(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const code = await diagnose(args, (line) => lines.push(line));
  return { code, lines };
}

type Changes = Partial<Parameters<typeof inspectProject>[0]>;

/** The check as the app makes it, with someone signed in. */
async function inspect(
  server: TestBackend,
  changes: Changes = {},
): Promise<Readonly<Record<string, Finding['status']>>> {
  const { client, id } = await server.signUp();
  const { data } = await client.auth.getSession();
  const user = parseUserId(id);
  const session = data.session;
  const findings = await inspectProject({
    project: { url: server.url, anonKey: server.server.anonKey },
    site: { origin: server.url, allowsGuests: true, liveBudget: 100, isEmbedded: true },
    session: async () =>
      session === null || user === null ? err('nobody') : ok({ token: session.access_token, user }),
    fetch: (input, init) => fetch(input, init),
    openSocket: (url) => new WebSocket(url),
    now: () => Date.now(),
    ...changes,
  });
  return Object.fromEntries(findings.map(({ title, status }) => [title, status]));
}

/** Runs `check` while the database is changed. */
async function withDatabase(
  server: TestBackend,
  [change, back]: readonly [string, string],
  check: () => Promise<void>,
) {
  await server.pg.exec(change);
  server.server.database.reloadSchema();
  try {
    await check();
  } finally {
    await server.pg.exec(back);
    server.server.database.reloadSchema();
  }
}

describe('a project as Weft needs it', () => {
  test('is fit: the command ends with 0, and finds project and key in the app’s config.json', async () => {
    const { code, lines } = await doctor(backend.url);
    expect(lines.filter((line) => !/^[✓?] /.test(line))).toEqual(['The project is fit for Weft.']);
    expect(lines).toHaveLength(Object.keys(TITLES).length + 1);
    expect(code).toBe(0);
  });

  test('is fit for the app too', async () => {
    const statuses = await inspect(backend);
    expect(Object.entries(statuses).filter(([, status]) => status !== 'fit')).toEqual([]);
  });

  test('can be checked by address and key alone', async () => {
    const { code, lines } = await doctor(backend.url, '--key', backend.server.anonKey);
    expect(code).toBe(0);
    expect(lines[0]).toBe(`✓ ${TITLES.address}: ${backend.url} answers and accepts the key.`);
  });
});

describe('the command', () => {
  test('ends with 1 when something has to be done, and says what to click', () => {
    const run = spawnSync(process.execPath, [join(ROOT, 'scripts/doctor.ts'), 'http://127.0.0.1:9', '--key', 'x'], {
      encoding: 'utf8',
    });
    expect(run.stdout).toContain(`✗ ${TITLES.address}: http://127.0.0.1:9 doesn’t answer`);
    expect(run.stdout).toContain('\n    → Check the address.');
    expect(run.stdout).toContain('1 thing to do.');
    expect(run.status).toBe(1);
  });

  test.each([[[]], [['nonsense']], [['ftp://weft.example']], [['http://127.0.0.1:9']], [['a', 'b']], [['--what']]])(
    'explains itself when it is called with %j',
    async (args) => {
      const { code, lines } = await doctor(...args);
      expect(code).toBe(2);
      expect(lines).toHaveLength(1);
    },
  );
});

describe('a fault is found:', () => {
  test('a wrong key', async () => {
    const { code, lines } = await doctor(backend.url, '--key', 'sb_publishable_wrong');
    expect(code).toBe(1);
    expect(lines[0]).toMatch(new RegExp(`^✗ ${TITLES.address}: The project refuses the public key`));
  });

  test('a clock that is two minutes wrong', async () => {
    expect(await inspect(backend, { now: () => Date.now() - 120_000 })).toMatchObject({ [TITLES.clock]: 'unfit' });
    expect(await inspect(backend, { now: () => Date.now() + 20_000 })).toMatchObject({ [TITLES.clock]: 'fit' });
  });

  test.each([
    ['a function that is missing', 'alter function public.keep_watching rename to former'],
    [
      'a function with the arguments of an older version',
      `alter function public.keep_watching rename to former;
       create function public.keep_watching(document uuid) returns jsonb language sql as $$ select '{}'::jsonb $$`,
    ],
  ])('%s', async (_, change) => {
    const back = `drop function if exists public.keep_watching(uuid); alter function public.former rename to keep_watching`;
    await withDatabase(backend, [change, back], async () => {
      const { code, lines } = await doctor(backend.url);
      expect(code).toBe(1);
      expect(lines.find((line) => line.startsWith('✗'))).toMatch(
        /keep_watching\.\n.+supabase db push --remote\. If it names .+ docs\/supabase\.md, “A project from before the first release”\.$/,
      );
    });
  });

  test('an internal schema in the API', async () => {
    // The embedded backend cannot be set up so: it answers as a project that exposes the schema.
    const exposed: typeof fetch = (input, init) =>
      new Headers(init?.headers).has('accept-profile')
        ? Promise.resolve(Response.json({ code: 'PGRST205' }, { status: 404 }))
        : fetch(input, init);
    expect(await inspect(backend, { fetch: exposed })).toMatchObject({ [TITLES.schemas]: 'unfit' });
  });

  test('guests that the project refuses and the app offers, and channels that are open to everyone', async () => {
    const { code, lines } = await doctor(faulty.url);
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith('✗')).map((line) => line.split(':')[0])).toEqual([
      `✗ ${TITLES.privateChannels}`,
      `✗ ${TITLES.guests}`,
    ]);
    expect(lines.at(-1)).toBe('2 things to do.');
  });

  test('guests that the project allows and the app does not offer', async () => {
    const site = { origin: backend.url, allowsGuests: false, liveBudget: 100, isEmbedded: true };
    expect(await inspect(backend, { site })).toMatchObject({ [TITLES.guests]: 'unfit' });
    expect(await inspect(faulty, { site })).toMatchObject({ [TITLES.guests]: 'advice', [TITLES.realtime]: 'fit' });
  });

  test('links in emails that lead elsewhere than to the app', async () => {
    const site = { origin: 'https://weft.example', allowsGuests: true, liveBudget: 100, isEmbedded: false };
    expect(await inspect(backend, { site })).toMatchObject({
      [TITLES.links]: 'unfit',
      [TITLES.accounts]: 'advice',
      [TITLES.limits]: 'unknown',
    });
    expect(await inspect(backend, { site: null })).toMatchObject({ [TITLES.links]: 'unknown' });
  });

  test('private channels that no one may join', async () => {
    const { rows } = await faulty.pg.query<{ name: string }>(
      `select policyname as name from pg_policies where schemaname = 'realtime' and tablename = 'messages'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name } of rows) await faulty.pg.exec(`drop policy "${name}" on realtime.messages`);
    expect(await inspect(faulty)).toMatchObject({ [TITLES.realtime]: 'unfit' });
  });

  test('a bucket that is missing, or open to everyone', async () => {
    const open = `create policy everyone on storage.objects for all to anon using (true) with check (true);
                  grant all on storage.objects to anon;
                  update storage.buckets set allowed_mime_types = null where id = 'attachments'`;
    await faulty.pg.exec(open);
    expect(await inspect(faulty)).toMatchObject({ [TITLES.files]: 'unfit' });
    await faulty.pg.exec(`delete from storage.objects`);
    await faulty.pg.exec(`delete from storage.buckets where id = 'attachments'`);
    expect(await inspect(faulty)).toMatchObject({ [TITLES.files]: 'unfit' });
  });
});
