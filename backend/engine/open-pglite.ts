// Opens PGlite with what Weft's database needs, and finds the two words of its memory that Postgres' signal handler would
// set. A database that is missing is made. To be called after `shareMemory`.
import { PGlite } from '@electric-sql/pglite';
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto';
import { assert } from '../../src/lib/assert.ts';
import { createDatabaseOnce } from './first-start.ts';
import type { InterruptFlags } from './cancel-switch.ts';
import type { WorkerInput } from './worker-messages.ts';

export async function openPglite({
  dir,
  image,
}: WorkerInput): Promise<{ readonly pg: PGlite; readonly flags: InterruptFlags }> {
  if (dir !== null) await createDatabaseOnce(dir);
  const pg = await PGlite.create({
    ...(dir === null ? {} : { dataDir: dir }),
    ...(image === null ? {} : { loadDataDir: new Blob([image]) }),
    extensions: { pgcrypto },
  });
  const memory: unknown = pg.Module.HEAP8.buffer;
  assert(memory instanceof SharedArrayBuffer, 'PGlite runs in shared memory');
  return {
    pg,
    flags: {
      memory,
      queryCancelPending: addressOf(pg, '_QueryCancelPending'),
      interruptPending: addressOf(pg, '_InterruptPending'),
    },
  };
}

function addressOf(pg: PGlite, name: string): number {
  const address: unknown = Reflect.get(pg.Module, name);
  assert(typeof address === 'number' && address > 0 && address % 4 === 0, `PGlite exports ${name}`);
  return address;
}
