// Runs one call in a transaction of its own, as its caller and with what PostgREST tells functions about the request.
import type { Engine, Settings } from '../engine.ts';
import { SAID_HEADERS, SAID_STATUS, type Statement } from './call-statement.ts';
import type { Caller } from './caller.ts';
import type { RpcFunction } from './function-catalogue.ts';

type Row = Record<string, unknown>;

/** What the function set in `response.status` and `response.headers`; null or '': nothing. */
export type Said = { readonly status: string | null; readonly headers: string | null };
export type Result = { readonly rows: readonly Row[]; readonly said: Said };
export type Call = { readonly fn: RpcFunction; readonly statement: Statement };

export async function runCall(pg: Engine, request: Request, caller: Caller, call: Call): Promise<Result> {
  const settings = settingsOf(request, caller, call.fn);
  return call.fn.isSet ? runSet(pg, settings, call.statement) : runOnce(pg, settings, call.statement);
}

async function runOnce(pg: Engine, settings: Settings, { sql, params }: Statement): Promise<Result> {
  const { rows } = await pg.queryAs<Row>(settings, sql, [...params]);
  const { [SAID_STATUS]: status, [SAID_HEADERS]: headers, ...row } = rows[0] ?? {};
  return { rows: [row], said: { status: textOf(status), headers: textOf(headers) } };
}

async function runSet(pg: Engine, settings: Settings, { sql, params }: Statement): Promise<Result> {
  return pg.transaction(async (tx) => {
    await tx.set(settings);
    const { rows } = await tx.query<Row>(sql, [...params]);
    const said = await tx.query<Said>(
      `select current_setting('response.status', true) as status, current_setting('response.headers', true) as headers`,
    );
    return { rows, said: said.rows[0] ?? { status: null, headers: null } };
  });
}

/** In the order in which they are set: what only an owner may set would have to stand before `role`. */
function settingsOf(request: Request, { role, subject, claims }: Caller, fn: RpcFunction): Settings {
  return {
    role,
    'request.jwt.claims': claims,
    // Older functions read these two.
    'request.jwt.claim.sub': subject,
    'request.jwt.claim.role': role,
    'request.method': request.method,
    'request.path': `/rpc/${fn.name}`,
    'request.headers': JSON.stringify(Object.fromEntries(request.headers)),
    'response.status': '',
    'response.headers': '',
    ...(request.method === 'POST' ? {} : { transaction_read_only: 'on' }),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
