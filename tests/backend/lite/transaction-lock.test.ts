import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PgliteConnection } from '@supabase/lite/pglite';
import { pgliteEngine } from '../../../backend/engine/in-process.ts';
import { keepGrantsAsTheyAre } from '../../../backend/lite/no-regrant.ts';
import { lockTransactions } from '../../../backend/lite/transaction-lock.ts';
import { type StockLite, call, openStockLite } from './stock-lite.ts';

const lockOn = (connection: PgliteConnection): void => lockTransactions(connection, pgliteEngine(connection.driver));

let lite: StockLite;
afterEach(() => lite.close());

const ROUNDS = 4;
const PER_ROUND = 30;

/** Anonymous and service requests at once, while a transaction of ours is held open: who does the database say asked? */
async function strangersAmong(fetch: StockLite['fetch']): Promise<{ wrong: number; failed: number }> {
  await lite.pg.exec(`
    create or replace function public.who() returns text language sql volatile as $$ select current_user::text $$;
    grant execute on function public.who() to anon, service_role;
  `);
  let [wrong, failed] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = lite.pg.transaction(async (tx) => {
      await tx.query(`select set_config('role', 'authenticated', true)`);
      await delay(5);
      const { rows } = await tx.query<{ who: string }>('select current_user::text as who');
      if (rows[0]?.who !== 'authenticated') wrong++;
    });
    const theirs = Array.from({ length: PER_ROUND }, async (_, at) => {
      const isService = at % 2 === 0;
      const headers = isService ? { apikey: 'sb_secret_stock' } : {};
      const { status, body } = await call(fetch, '/rest/v1/rpc/who', { body: {}, headers });
      if (status !== 200) failed++;
      else if (body !== (isService ? 'service_role' : 'anon')) wrong++;
    });
    await Promise.all([ours.catch(() => failed++), ...theirs]);
  }
  return { wrong, failed };
}

describe('requests that overlap', () => {
  test('gap: without the lock they run under each other’s role or inside each other’s failure', async () => {
    vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
    lite = await openStockLite({ repair: keepGrantsAsTheyAre });
    const { wrong, failed } = await strangersAmong(lite.fetch);
    vi.restoreAllMocks();
    expect(wrong + failed).toBeGreaterThan(0);
  });

  test('with it each runs under its own, ours included', async () => {
    lite = await openStockLite({
      repair: (connection) => {
        lockOn(connection);
        keepGrantsAsTheyAre(connection);
      },
    });
    expect(await strangersAmong(lite.fetch)).toEqual({ wrong: 0, failed: 0 });
  });
});

describe('a transaction', () => {
  test('that fails leaves nothing, and the next one runs', async () => {
    lite = await openStockLite({ repair: lockOn });
    const { kysely } = lite.connection;
    await lite.pg.exec('create table public.kept (n int primary key)');
    const failing = kysely.transaction().execute(async (trx) => {
      await trx.insertInto('kept').values({ n: 1 }).execute();
      await trx.insertInto('kept').values({ n: 1 }).execute();
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    await kysely.transaction().execute((trx) => trx.insertInto('kept').values({ n: 2 }).execute());
    expect((await lite.pg.query('select n from public.kept')).rows).toEqual([{ n: 2 }]);
  });

  test('tells its caller when the commit is refused', async () => {
    lite = await openStockLite({ repair: lockOn });
    const { kysely } = lite.connection;
    await lite.pg.exec(`
      create table public.parent (n int primary key);
      create table public.child (n int references public.parent deferrable initially deferred);
    `);
    const orphan = kysely.transaction().execute((trx) => trx.insertInto('child').values({ n: 1 }).execute());
    await expect(orphan).rejects.toMatchObject({ code: '23503' });
    expect((await lite.pg.query('select n from public.child')).rows).toEqual([]);
  });
});
