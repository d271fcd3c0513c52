// Checks that values which both TypeScript and SQL contain are the same: texts, colors, seeds, the layout of rows.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankSeed, welcomeSeed } from 'weft-document/seed.ts';
import { parseDocumentId, parseSessionId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { type Part, type Row, decodeRows, encodeRows } from 'weft-sync/protocol/row.ts';
import { liveTopic, viewTopic } from 'weft-sync/protocol/topics.ts';
import { toHex } from '../../src/lib/bytes.ts';
import { COLORS } from '../../src/protocol/colors.ts';
import { parseLinkSecret, parseWorkspaceId } from '../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { personTopic, workspaceTopic } from '../../src/protocol/topics.ts';
import { ERROR_TEXTS } from '../../src/texts/error-texts.ts';
import { Refused, type Sql } from '../support/database/sql.ts';
import { useWorkspace } from './fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

/** The codes that the database raises; the others come from the client. */
const RAISED = [
  'WF001',
  'WF002',
  'WF003',
  'WF004',
  'WF005',
  'WF006',
  'WF007',
  'WF009',
  'WF010',
  'WF014',
  'WF015',
  'WF016',
] as const;

test(
  'an error has a code and text of the catalogue, and a detail',
  withWorkspace(async (sql, fixture) => {
    for (const code of RAISED) {
      await sql.rows('savepoint raise');
      const error = await sql.rows('select weft.raise($1, $2)', [code, 'because']).catch((thrown: unknown) => thrown);
      await sql.rows('rollback to savepoint raise');
      expect(error).toMatchObject({ code, message: ERROR_TEXTS[code], detail: 'because' });
    }
    expect(await sql.refusal(fixture.people.viewer, 'publish_pending', { document: fixture.page })).toEqual({
      code: 'WF002',
      message: ERROR_TEXTS.WF002,
      detail: 'needs editor, is viewer',
    });
  }),
);

test(
  'a token without a person is refused with WF003',
  withWorkspace(async (sql, fixture) => {
    const noOne = { id: '', guest: false };
    const claims = sql.as(noOne, 'select auth.uid()').catch((error: unknown) => error);
    expect(await claims).toBeInstanceOf(Refused);
    await sql.rows('savepoint before_claims');
    await sql.rows(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', '{"role":"authenticated"}', true)`,
    );
    const error = await sql
      .rows('select public.rows_since($1, 0, 1)', [fixture.page])
      .catch((thrown: unknown) => thrown);
    await sql.rows('rollback to savepoint before_claims');
    expect(error).toMatchObject({ code: 'WF003', message: ERROR_TEXTS.WF003 });
  }),
);

test(
  'the newest schema version of the database is that of the app',
  withWorkspace(async (sql) => {
    expect(await sql.row('select weft.newest_schema() as newest')).toEqual({ newest: SCHEMA_VERSION });
  }),
);

test(
  'the database has the colors of the app',
  withWorkspace(async (sql) => {
    const { definition } = await sql.row<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'profiles_color_check'`,
    );
    expect(Array.from(definition.matchAll(/'(\w+)'/g), (found) => found[1])).toEqual([...COLORS]);
    for (let byte = 0; byte < 32; byte++) {
      const id = `00000000-0000-4000-8000-0000000000${byte.toString(16).padStart(2, '0')}`;
      const { color } = await sql.row('select weft.color_of_new_user($1) as color', [id]);
      expect(color).toBe(COLORS[byte % 16]);
    }
  }),
);

test(
  'the database’s seeds are those of the app, byte for byte',
  withWorkspace(async (sql) => {
    const seeds = await sql.row(
      `select encode(weft.seed_update('blank'), 'hex') as blank, encode(weft.seed_update('welcome'), 'hex') as welcome`,
    );
    expect(seeds).toEqual({ blank: toHex(blankSeed()), welcome: toHex(welcomeSeed()) });
  }),
);

test(
  'the database’s topics have the names that clients use',
  withWorkspace(async (sql, fixture) => {
    const { document, view, workspace } = await sql.row(
      `select 'd:' || $1 || ':' || weft.topic_epoch($1) as document, t as view, weft.workspace_topic($2) as workspace
       from weft.watch_topics($1, weft.topic_epoch($1)) as t`,
      [fixture.page, fixture.workspace],
    );
    const [page, home, owner] = [
      parseDocumentId(fixture.page),
      parseWorkspaceId(fixture.workspace),
      parseUserId(fixture.people.owner.id),
    ];
    if (page === null || home === null || owner === null) throw new Error('malformed ids');
    expect({ document, view, workspace }).toEqual({
      document: liveTopic(page, '1.1'),
      view: viewTopic(page, '1.1'),
      workspace: workspaceTopic(home, 1),
    });
    expect((await sql.topicRights(fixture.people.owner, personTopic(owner))).receive).toBe(true);
  }),
);

test(
  'secrets are 22 random characters of base64url',
  withWorkspace(async (sql) => {
    const keys = await sql.rows<{ key: string }>('select weft.random_key() as key from generate_series(1, 500)');
    expect(new Set(keys.map((row) => row.key)).size).toBe(500);
    for (const { key } of keys) expect(parseLinkSecret(key)).toBe(key);
    // All 64 characters occur, so none is cut off or left untranslated.
    expect(new Set(keys.flatMap((row) => [...row.key])).size).toBe(64);
  }),
);

// --- rows ---------------------------------------------------------------------------------------------------------

const parts: fc.Arbitrary<Part> = fc.record({
  session: fc.uuid().map((text) => {
    const session = parseSessionId(text);
    if (session === null) throw new Error('not a uuid');
    return session;
  }),
  clientId: fc.integer({ min: 1024, max: 2 ** 32 - 1 }),
  nFrom: fc.integer({ min: 1, max: 1_000_000 }),
  nTo: fc.integer({ min: 1_000_000, max: 2_147_483_647 }),
  update: fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Uint8Array.from(bytes)),
});
const logs = fc.array(fc.record({ own: parts, dependencies: fc.array(parts, { maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 5,
});

const hexOf = (bytes: Uint8Array) => `\\x${toHex(bytes)}`;

async function storeLog(sql: Sql, document: string, rows: readonly Row[]): Promise<void> {
  for (const part of rows.flatMap((row) => [row, ...row.dependencies])) {
    await sql.rows(
      `insert into public.document_sessions (session, document_id, client_id, user_id, schema_version)
       values ($1, $2, $3, gen_random_uuid(), 1)`,
      [part.session, document, part.clientId],
    );
  }
  for (const row of rows) {
    const dependencies = row.dependencies.map(({ session, nFrom, nTo, update }) => ({
      session,
      nFrom,
      nTo,
      update: Buffer.from(update).toString('base64'),
    }));
    await sql.rows(
      `insert into public.document_updates (document_id, seq, session, n_from, n_to, update, dependencies)
       values ($1, $2, $3, $4, $5, $6, weft.encode_dependencies($1, weft.parse_dependencies($7), false))`,
      [document, row.seq, row.session, row.nFrom, row.nTo, hexOf(row.update), JSON.stringify(dependencies)],
    );
  }
}

test(
  'the database encodes row messages as encodeRows does',
  withWorkspace(async (sql, fixture) => {
    const document = fixture.secretPage;
    const start = Date.parse('2026-11-24T09:00:00.123Z');
    await sql.rows('delete from public.document_updates where document_id = $1', [document]);
    await fc.assert(
      fc.asyncProperty(logs, async (log) => {
        const clientIds = log.flatMap((row) => [row.own, ...row.dependencies]).map((part) => part.clientId);
        fc.pre(new Set(clientIds).size === clientIds.length);
        await sql.rows('savepoint log');
        const rows = log.map(({ own, dependencies }, at): Row => ({ seq: at + 1, ...own, dependencies }));
        await storeLog(sql, document, rows);
        await sql.rows(
          `update public.document_updates set created_at = $2::timestamptz + seq * interval '1 second' where document_id = $1`,
          [document, new Date(start).toISOString()],
        );
        const timed = rows.map((row) => ({ ...row, at: start + 1000 * row.seq }));
        for (const [version, after, message] of [
          [1, 0, { rows }],
          [2, 0, { rows: timed }],
          [3, 0, { rows: timed }],
          [4, 0, { rows: timed, before: 0 }],
          [4, 1, { rows: timed.slice(1), before: start + 1000 }],
        ] as const) {
          if (message.rows.length === 0) continue;
          const { bytes } = await sql.row<{ bytes: string }>(
            `select encode((weft.encode_rows($1, $2, $3, null, 1000000, $4)).message, 'hex') as bytes`,
            [document, after, rows.length, version],
          );
          expect(bytes).toBe(toHex(encodeRows({ kind: 'rows', head: rows.length, ...message }, version)));
        }
        await sql.rows('rollback to savepoint log');
      }),
      { numRuns: 40, seed: 20_261_121, endOnFailure: true },
    );
    const fetched = await sql.row<{ bytes: string }>(`select encode(weft.encode_fetch(258), 'hex') as bytes`);
    expect(fetched.bytes).toBe(toHex(encodeRows({ kind: 'fetch', head: 258 })));
    const empty = await sql.row<{ v1: string; v4: string }>(
      `select encode((weft.encode_rows($1, 7, 7, 500, 1000, 1)).message, 'hex') as v1,
         encode((weft.encode_rows($1, 7, 7, 500, 1000, 4)).message, 'hex') as v4`,
      [randomUUID()],
    );
    expect(empty.v1).toBe(toHex(encodeRows({ kind: 'rows', head: 7, rows: [] })));
    expect(decodeRows(Uint8Array.from(Buffer.from(empty.v4, 'hex')))).toEqual({
      ok: true,
      value: { kind: 'rows', head: 7, before: 0, rows: [] },
    });
  }),
);
