// Runs one call in a transaction of its own, as its caller and with what PostgREST tells functions about the request.
import { assert } from '../../../src/lib/assert.ts';
import type { Engine, Settings } from '../../engine.ts';
import type { AnswerRow, Statement } from './call-statement.ts';
import type { Caller } from '../caller.ts';
import type { RpcFunction } from './function-catalogue.ts';

export type Call = { readonly fn: RpcFunction; readonly statement: Statement };

export async function runCall(pg: Engine, request: Request, caller: Caller, call: Call): Promise<AnswerRow> {
  const { sql, params } = call.statement;
  const { rows } = await pg.queryAs<AnswerRow>(settingsOf(request, caller, call.fn), sql, [...params]);
  const [row] = rows;
  assert(row !== undefined, 'a call answers with one row');
  return row;
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
