// SIGKILL under load, of Node, of PostgreSQL, or of everything that could end PostgreSQL in order: nothing acknowledged is
// lost, and no process is left behind.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { isAlive } from '../../../backend/postgres/server-left-behind.ts';
import { diskFolder } from '../../../scripts/checks/memory-folder.ts';
import { DataFixture, type Started } from './data-fixture.ts';

/** On a disk, as people's data is. */
const fixture = new DataFixture(diskFolder());

/** Two of each victim; `npm run attack` goes on for longer. */
const ROUNDS = process.env['WEFT_ATTACK'] === '1' ? 30 : 6;
const WRITERS = 6;
/** Writes of all six writers together before something is killed. */
const FEWEST_WRITES = 10;
const BUCKET = 'kept';

/** In turn. */
const VICTIMS = ['Node', 'PostgreSQL', 'Node and the watchdog'] as const;

/** Writes rows and files until it is stopped, and knows which of them were acknowledged. */
class Load {
  readonly rows = new Set<string>();
  readonly #files = new Map<string, string>();

  /** Adds what is missing to `lost`. Files are looked at once: each round has new ones. */
  async check(client: SupabaseClient, lost: string[]): Promise<void> {
    const { data } = await client.storage.listBuckets({ limit: 100_000 });
    const names = new Set(data?.map(({ name }) => name));
    lost.push(...[...this.rows].filter((name) => !names.has(name)));
    for (const [path, text] of this.#files) {
      if ((await (await client.storage.from(BUCKET).download(path)).data?.text()) !== text) lost.push(path);
    }
    this.#files.clear();
  }

  write(client: SupabaseClient, round: number): { readonly count: () => number; stop(): Promise<void> } {
    const stopped = new AbortController();
    let count = 0;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !stopped.signal.aborted; n++) {
        const name = `r${round}-w${writer}-${n}`;
        const text = name.repeat(200);
        const [made, stored] = await Promise.all([
          client.storage.createBucket(name, { public: false }),
          client.storage.from(BUCKET).upload(name, text),
        ]);
        if (made.error === null) this.rows.add(name);
        if (stored.error === null) this.#files.set(name, text);
        if (made.error === null && stored.error === null) count++;
        // Refused at once while the database is away.
        if (made.error !== null) await delay(20);
      }
    });
    return {
      count: () => count,
      async stop() {
        stopped.abort();
        await Promise.all(writers);
      },
    };
  }
}

test(
  `${ROUNDS} rounds of writing and SIGKILL lose nothing that was acknowledged, and leave no process`,
  async () => {
    await fixture.useTemplate();
    const load = new Load();
    const lost: string[] = [];
    const servers: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const weft = await fixture.start();
      servers.push(await fixture.serverPid());
      await load.check(weft.client, lost);
      await weft.client.storage.createBucket(BUCKET, { public: false });
      const writing = load.write(weft.client, round);
      // Not at the same moment of the work each time, however fast the machine is.
      await expect
        .poll(writing.count, { timeout: 30_000, interval: 3 })
        .toBeGreaterThan(FEWEST_WRITES + ((round * 7) % 30));
      await delay((round * 13) % 20);
      const victim = VICTIMS[round % VICTIMS.length];
      if (victim === 'PostgreSQL') await killPostgres(weft, writing.count);
      if (victim === 'Node and the watchdog') killWatchdog(await fixture.serverPid());
      const ended = weft.process.end(victim === 'PostgreSQL' ? 'SIGTERM' : 'SIGKILL');
      await Promise.all([ended, writing.stop()]);
    }
    const { client, process: last } = await fixture.start();
    await load.check(client, lost);
    expect(lost).toEqual([]);
    expect(load.rows.size).toBeGreaterThan(FEWEST_WRITES * ROUNDS);
    expect(await last.end('SIGTERM')).toBe(0);
    await expect.poll(() => servers.filter(isAlive)).toEqual([]);
    process.stdout.write(`${ROUNDS} kills, ${load.rows.size} acknowledged rows, none lost\n`);
  },
  60_000 + 20_000 * ROUNDS,
);

/** The same Weft goes on with a PostgreSQL that it starts again. */
async function killPostgres(weft: Started, count: () => number): Promise<void> {
  const before = await fixture.serverPid();
  process.kill(before, 'SIGKILL');
  await expect.poll(() => weft.process.stderr, { timeout: 30_000 }).toContain('PostgreSQL runs again.');
  expect(await fixture.serverPid()).not.toBe(before);
  const written = count();
  await expect.poll(count, { timeout: 30_000 }).toBeGreaterThan(written + FEWEST_WRITES);
}

/** The next start has to find the PostgreSQL that is left behind. */
function killWatchdog(serverPid: number): void {
  const processes = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const watchdog = processes.find((line) => line.includes(` weft-watchdog ${serverPid} `));
  process.kill(Number.parseInt(watchdog ?? '', 10), 'SIGKILL');
}

test('without a next start, PostgreSQL ends by itself when Node was killed', async () => {
  await fixture.useTemplate();
  const { process: weft } = await fixture.start();
  const server = await fixture.serverPid();
  await weft.end('SIGKILL');
  await expect.poll(() => isAlive(server), { timeout: 20_000 }).toBe(false);
});

test('a temporary database ends with Node, and its folder goes', async () => {
  const weft = fixture.run('backend', '--port', '0', '--json', '--memory');
  await weft.line();
  const folders = () =>
    execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`postgres -D`) && line.includes('weft-memory-'));
  const before = folders().length;
  expect(before).toBeGreaterThan(0);
  await weft.end('SIGKILL');
  await expect.poll(() => folders().length, { timeout: 20_000 }).toBeLessThan(before);
});
