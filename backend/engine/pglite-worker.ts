// The thread that runs PGlite, and nothing else. The first message says which database; the others are jobs, done one after
// the other, a transaction's together, whatever else is waiting. The thread that asks is pglite.ts.
import { parentPort } from 'node:worker_threads';
import { assert } from '../../src/lib/assert.ts';
import { keepCompiled } from '../compile-cache.ts';
import { RunningSide } from './cancel-switch.ts';
import { fieldsOf } from './database-error.ts';
import { shareMemory } from './shared-memory.ts';
import type { Job, Report, Result, Work, WorkerInput } from './worker-messages.ts';

const NOTHING: Result = { columns: [], rows: [], affectedRows: undefined };
const TIMED_OUT = 'canceling statement due to statement timeout';

assert(parentPort !== null, 'this is a worker');
const port = parentPort;
const report = (message: Report, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** What waits, in the order it came. */
const waiting: Job[] = [];
/** The transaction that is open: nobody else's turn until it ends. */
let open: number | null = null;
let busy = false;

const { promise: told, resolve: tell } = Promise.withResolvers<WorkerInput>();
// Before the rest is loaded: the first message may be there already.
port.on('message', (message: WorkerInput | Job) => {
  if (!('work' in message)) return tell(message);
  waiting.push(message);
  if (!busy) void work();
});

keepCompiled();
shareMemory();
const { openPglite } = await import('./open-pglite.ts');
const { runScript, runStatement, runStatementAs } = await import('./wire.ts');

const input = await told;
const { pg, flags } = await openPglite(input);
const running = new RunningSide(input.cancelSwitch, flags);
pg.onNotification((channel, payload) => report({ kind: 'notification', channel, payload }));

report({ kind: 'ready', flags });

async function work(): Promise<void> {
  busy = true;
  for (let job = next(); job !== undefined; job = next()) await perform(job);
  busy = false;
}

function next(): Job | undefined {
  if (open === null) return waiting.shift();
  const at = waiting.findIndex((job) => job.transaction === open);
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}

async function perform({ id, transaction, limitMs, work }: Job): Promise<void> {
  if (work.kind === 'begin') open = transaction;
  running.begin(id, limitMs);
  let failure: unknown = null;
  let result = NOTHING;
  try {
    result = await run(id, work);
  } catch (error) {
    failure = error;
  }
  const cancelled = running.end(id);
  if (work.kind === 'commit' || work.kind === 'rollback') open = null;
  if (failure === null) return report({ kind: 'done', id, result });
  const fields = fieldsOf(failure);
  const error =
    fields === null
      ? { message: String(failure), code: 'XX000', severity: 'ERROR' }
      : cancelled && fields.code === '57014'
        ? { ...fields, message: TIMED_OUT }
        : fields;
  report({ kind: 'failed', id, error });
}

async function run(id: number, work: Work): Promise<Result> {
  switch (work.kind) {
    case 'query':
      return runStatement(pg, work.sql, work.params);
    case 'queryAs':
      return runStatementAs(pg, work.settings, work.sql, work.params);
    case 'exec':
      await runScript(pg, work.sql);
      return NOTHING;
    case 'commit':
      return commit();
    case 'begin':
    case 'rollback':
      return runStatement(pg, work.kind, []);
    case 'listen':
    case 'unlisten':
      return runStatement(pg, `${work.kind} "${work.channel.replaceAll('"', '""')}"`, []);
    case 'image': {
      await runScript(pg, 'checkpoint');
      const bytes = await (await pg.dumpDataDir('none')).arrayBuffer();
      report({ kind: 'image', id, bytes }, [bytes]);
      return NOTHING;
    }
    case 'close':
      await pg.close();
      return NOTHING;
  }
}

/** Postgres answers a COMMIT of a failed transaction with ROLLBACK, and no error. */
async function commit(): Promise<Result> {
  return runStatement(pg, 'commit', []);
}
