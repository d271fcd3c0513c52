// Checks that every log must pass, with any authors and in any order. They read the tables directly.
import { type Row, decodeRows } from 'weft-sync/protocol/row.ts';
import { fromBase64 } from '../../../src/lib/bytes.ts';
import type { ApiConnection } from './connections.ts';

/** All rows of a page, decoded as the clients do. */
export async function readLog(connection: ApiConnection, document: string): Promise<readonly Row[]> {
  const [found] = await connection.rows<{ message: string }>(
    `select encode((weft.encode_rows($1, 0, h.head_seq, null, 1000000000, 2)).message, 'base64') as message
     from public.document_heads as h where h.document_id = $1`,
    [document],
  );
  const decoded = decodeRows(fromBase64((found?.message ?? '').replaceAll('\n', '')) ?? new Uint8Array());
  if (!decoded.ok || decoded.value.kind !== 'rows') throw new Error('the log cannot be decoded');
  return decoded.value.rows;
}

/** Describes every fault of a log. */
export async function findFaults(connection: ApiConnection, document: string): Promise<string[]> {
  const rows = await readLog(connection, document);
  const faults = rows.flatMap((row, at) => (row.seq === at + 1 ? [] : [`seq ${row.seq} is row ${at + 1}`]));

  const lastN = new Map<string, number>();
  for (const { seq, session, nFrom, nTo, dependencies } of rows.slice(1)) {
    for (const part of dependencies) {
      if (part.nTo <= (lastN.get(part.session) ?? 0)) faults.push(`row ${seq} has a dependency that the log had`);
    }
    if (nTo === 0) continue; // A relay has no edits of its own.
    const last = lastN.get(session) ?? 0;
    if (nFrom > last + 1) faults.push(`row ${seq} leaves a gap after ${last}`);
    if (nTo <= last) faults.push(`row ${seq} was in the log already`);
    lastN.set(session, nTo);
  }

  const [stored] = await connection.rows<{ head: number; tail: number; bytes: number; sessions: unknown }>(
    `select h.head_seq as head, h.tail_bytes as tail,
       (select sum(octet_length(u.update) + coalesce(octet_length(u.dependencies), 0))::int from public.document_updates as u
        where u.document_id = h.document_id and u.seq > h.snapshot_seq) as bytes,
       (select coalesce(jsonb_object_agg(s.session, s.last_n), '{}') from public.document_sessions as s
        where s.document_id = h.document_id and s.last_n > 0) as sessions
     from public.document_heads as h where h.document_id = $1`,
    [document],
  );
  if (stored?.head !== rows.length) faults.push(`the head is ${stored?.head}, the rows are ${rows.length}`);
  if (stored?.tail !== stored?.bytes) faults.push(`the tail is ${stored?.tail} bytes, its rows have ${stored?.bytes}`);
  const registered = JSON.stringify(Object.entries(Object(stored?.sessions)).toSorted());
  const counted = JSON.stringify(Array.from(lastN).toSorted());
  if (registered !== counted) faults.push(`the sessions are at ${registered}, the rows at ${counted}`);
  return faults;
}
