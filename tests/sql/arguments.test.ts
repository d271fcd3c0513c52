// Every argument of the functions for reading, appending and watching, with values that an attacker or a broken app may
// send: each value has its error code and no other effect. The list of arguments comes from pg_catalog.
import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_DEPENDENCIES, MAX_SNAPSHOT_BYTES, MAX_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { MAX_TITLE_LENGTH } from '../../src/protocol/limits.ts';
import { type Caller, type Sql, base64 } from '../support/database/sql.ts';
import { useWorkspace } from './fixture/use-workspace.ts';
import { type WorkspaceFixture, appendArgs } from './fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

type Args = Readonly<Record<string, unknown>>;
type FunctionRow = {
  readonly by: (fixture: WorkspaceFixture) => Caller;
  /** Valid arguments; each value of `bad` replaces one of them. */
  readonly valid: (fixture: WorkspaceFixture) => Args;
  /** Prepares the database for the call. */
  readonly before?: (sql: Sql, fixture: WorkspaceFixture) => Promise<unknown>;
  readonly bad: Readonly<Record<string, readonly (readonly [value: unknown, code: string])[]>>;
};

const NO_UUID = [
  ['x', '22P02'],
  ['', '22P02'],
  ["'; drop table public.documents; --", '22P02'],
] as const;
/** An unknown page gives the same error as one that the caller may not see. */
const DOCUMENT = [...NO_UUID, [null, 'WF001'], [randomUUID(), 'WF001']] as const;
const NO_BIGINT = [
  ['x', '22P02'],
  ['1.5', '22P02'],
  ['9223372036854775808', '22003'],
] as const;
const NO_INT = [
  ['x', '22P02'],
  ['2147483648', '22003'],
] as const;
/** Positions outside of the log are accepted, as the nearest one inside. */
const TOLERATED = [
  [null, 'ok'],
  ['-9223372036854775808', 'ok'],
  ['9223372036854775807', 'ok'],
] as const;

/** A row of another time is none of the log; without a row or a time there is nothing to compare. */
const KNOWN_AT = [...NO_BIGINT, [null, 'ok'], [0, 'WF016'], [-1, 'WF016'], ['9223372036854775807', 'WF016']] as const;
const UNKNOWN_AT = [...NO_BIGINT, [null, 'ok'], [0, 'ok'], ['9223372036854775807', 'ok']] as const;

/** Everything that is not a version means the first one. */
const ROW_VERSIONS = [...NO_INT, [null, 'ok'], [0, 'ok'], [-1, 'ok'], [3, 'ok'], [2_147_483_647, 'ok']] as const;

/** A watcher may be anyone, and an unknown stance is none. */
const WATCHING = {
  watcher: [...NO_UUID, [null, 'ok'], [randomUUID(), 'ok']],
  stance: [
    [null, 'ok'],
    ['', 'ok'],
    ["'; drop table weft.watchers; --", 'ok'],
    ['x'.repeat(1_000_000), 'ok'],
  ],
} as const;

const PLACE = { block: 'top', offset: 0 };
const NO_PLACES: readonly unknown[] = [
  'top',
  7,
  true,
  [],
  {},
  { block: 'top' },
  { offset: 0 },
  { ...PLACE, more: 1 },
  { ...PLACE, block: '' },
  { ...PLACE, block: 'x'.repeat(65) },
  { ...PLACE, block: '<b>' },
  { ...PLACE, block: 'a\nb' },
  { ...PLACE, block: null },
  { ...PLACE, block: 7 },
  { ...PLACE, offset: -1 },
  { ...PLACE, offset: 0.5 },
  { ...PLACE, offset: 2 ** 31 },
  { ...PLACE, offset: 10 ** 30 },
  { ...PLACE, offset: '0' },
];

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const zeros = (size: number) => Buffer.alloc(size).toString('base64');
const STATE = Uint8Array.of(1, 2, 3);
const NIL_SESSION = '00000000-0000-0000-0000-000000000000';
const editor = (fixture: WorkspaceFixture) => fixture.people.editor;
const manager = (fixture: WorkspaceFixture) => fixture.people.manager;

const FUNCTIONS: Readonly<Record<string, FunctionRow>> = {
  open_document: {
    by: editor,
    valid: ({ page }) => ({ document: page, since: 0 }),
    bad: {
      document: DOCUMENT,
      since: [...NO_BIGINT, ...TOLERATED],
      row_version: ROW_VERSIONS,
      known_at: UNKNOWN_AT,
    },
  },
  rows_since: {
    by: editor,
    valid: ({ page }) => ({ document: page, seq: 2, row_limit: 10 }),
    bad: {
      document: DOCUMENT,
      seq: [...NO_BIGINT, ...TOLERATED],
      row_limit: [...NO_INT, [null, 'ok'], [-1, 'ok'], [0, 'ok'], [2_147_483_647, 'ok']],
      row_version: ROW_VERSIONS,
      known_at: KNOWN_AT,
      ...WATCHING,
    },
  },
  rows_until: {
    by: ({ people }) => people.viewer,
    valid: ({ page }) => ({ document: page, after: 0, until: 2 }),
    bad: {
      document: DOCUMENT,
      after: [...NO_BIGINT, ...TOLERATED],
      until: [...NO_BIGINT, ...TOLERATED],
      row_version: ROW_VERSIONS,
    },
  },
  history_rows: {
    by: ({ people }) => people.viewer,
    valid: ({ page }) => ({ document: page, after: 0 }),
    bad: { document: DOCUMENT, after: [...NO_BIGINT, ...TOLERATED], row_version: ROW_VERSIONS },
  },
  pages_to_compact: {
    by: () => 'service',
    valid: () => ({ older_than_days: 30 }),
    bad: {
      older_than_days: [...NO_INT, [null, 'ok'], [-1, 'ok'], [2_147_483_647, 'ok']],
      after: [...NO_UUID, [null, 'ok'], [randomUUID(), 'ok']],
      row_limit: [...NO_INT, [null, 'ok'], [-1, 'ok'], [2_147_483_647, 'ok']],
    },
  },
  rows_to_compact: {
    by: () => 'service',
    valid: ({ page }) => ({ document: page, after: 0 }),
    bad: { document: DOCUMENT, after: [...NO_BIGINT, ...TOLERATED] },
  },
  list_sittings: {
    by: ({ people }) => people.viewer,
    valid: ({ page }) => ({ document: page }),
    bad: {
      document: DOCUMENT,
      before: [...NO_BIGINT, ...TOLERATED],
      person: [...NO_UUID, [null, 'ok'], [randomUUID(), 'ok']],
      row_limit: [...NO_INT, [null, 'ok'], [-1, 'ok'], [0, 'ok'], [2_147_483_647, 'ok']],
    },
  },
  name_version: {
    by: editor,
    valid: ({ page }) => ({ id: randomUUID(), document: page, seq: 2, name: 'Final' }),
    bad: {
      id: [...NO_UUID, [null, '23502']],
      document: DOCUMENT,
      seq: [...NO_BIGINT, [null, '22023'], [0, '22023'], [-1, '22023'], [3, '22023'], ['9223372036854775807', '22023']],
      name: [
        [null, '23514'],
        ['', '23514'],
        ['  ', '23514'],
        ['a\u0007b', '23514'],
        ['x'.repeat(201), '23514'],
        ['x'.repeat(1_000_000), '23514'],
        [`  ${'x'.repeat(200)} `, 'ok'],
      ],
      kind: [
        [null, '22023'],
        ['', '22023'],
        ['automatic', '22023'],
        ['restore', 'ok'],
      ],
    },
  },
  link_history: {
    by: () => 'anon',
    valid: ({ links }) => ({ secret: links.viewer.secret, after: 0, until: 2 }),
    before: (sql) => sql.rows('update public.share_links set history = true'),
    bad: {
      secret: [
        [null, 'WF009'],
        ['', 'WF009'],
        ['x'.repeat(1_000_000), 'WF009'],
        ["'; drop table public.documents; --", 'WF009'],
        ['%', 'WF009'],
      ],
      after: [...NO_BIGINT, ...TOLERATED],
      until: [...NO_BIGINT, ...TOLERATED],
      row_version: ROW_VERSIONS,
    },
  },
  keep_watching: {
    by: ({ people }) => people.viewer,
    valid: ({ page }) => ({ document: page, seq: 2 }),
    bad: {
      document: DOCUMENT,
      seq: [...NO_BIGINT, ...TOLERATED],
      row_version: ROW_VERSIONS,
      known_at: KNOWN_AT,
      ...WATCHING,
    },
  },
  present: {
    by: editor,
    valid: ({ page }) => ({ document: page, session: randomUUID(), place: PLACE, starts: true, live_peers: null }),
    bad: {
      document: DOCUMENT,
      session: [...NO_UUID, [null, 'WF005']],
      place: [
        [null, 'ok'],
        ['null', 'ok'],
        ['{', '22P02'],
        ...NO_PLACES.map((place) => [JSON.stringify(place), '22023'] as const),
      ],
      starts: [
        ['x', '22P02'],
        [null, 'ok'],
      ],
      live_peers: [...NO_INT, [null, 'ok'], [-1, 'ok'], [2_147_483_647, 'ok']],
    },
  },
  announce_session: {
    by: editor,
    valid: ({ page, editorSession }) => ({ document: page, session: editorSession, is_writing: true }),
    bad: {
      document: DOCUMENT,
      session: [...NO_UUID, [null, 'WF005']],
      is_writing: [
        ['x', '22P02'],
        [null, 'ok'],
      ],
    },
  },
  session_info: {
    by: editor,
    valid: ({ page, editorSession }) => ({ document: page, sessions: [editorSession] }),
    bad: {
      document: DOCUMENT,
      sessions: [
        ['{x}', '22P02'],
        ['x', '22P02'],
        ['{', '22P02'],
        [null, 'ok'],
        ['{}', 'ok'],
        ['{null}', 'ok'],
        [`{{${NIL_SESSION}},{${NIL_SESSION}}}`, 'ok'],
        [`{${Array.from({ length: 20_000 }, () => randomUUID()).join()}}`, 'ok'],
      ],
    },
  },
  start_session: {
    by: editor,
    valid: ({ page }) => ({ document: page, session: randomUUID(), client_id: 77_777, schema_version: 1 }),
    bad: {
      document: DOCUMENT,
      session: [...NO_UUID, [null, 'WF005'], [NIL_SESSION, 'WF005']],
      client_id: [...NO_BIGINT, [null, 'WF006'], [0, 'WF006'], [1, 'WF006'], [1023, 'WF006'], [-1, 'WF006']],
      schema_version: [...NO_INT, [null, 'WF005'], [0, 'WF005'], [-1, 'WF005'], [2_147_483_647, '55000']],
    },
  },
  append_update: {
    by: editor,
    valid: ({ page, editorSession }) =>
      appendArgs({ document: page, session: editorSession, nFrom: 2, nTo: 2, knownSeq: 2 }),
    bad: {
      document: DOCUMENT,
      session: [...NO_UUID, [null, 'WF016'], [NIL_SESSION, 'WF016'], [randomUUID(), 'WF016']],
      n_from: [...NO_INT, [null, 'WF005'], [0, 'WF005'], [-1, 'WF005'], [3, 'WF005'], [-2_147_483_648, 'WF005']],
      n_to: [...NO_INT, [null, 'WF005'], [0, 'WF005'], [1, 'WF005'], [-1, 'WF005']],
      update: [
        [null, 'WF005'],
        ['', 'WF005'],
        ['*', 'WF005'],
        ['AAA', 'WF005'],
        ['\\x00', 'WF005'],
        ['ä', 'WF005'],
        [zeros(MAX_UPDATE_BYTES + 1), 'WF005'],
        [zeros(2 * MAX_UPDATE_BYTES), 'WF005'],
        [zeros(MAX_UPDATE_BYTES), 'ok'],
      ],
      dependencies: [
        ['{', '22P02'],
        ['null', 'WF005'],
        [null, 'ok'],
        ['{}', 'WF005'],
        ['"x"', 'WF005'],
        ['[[]]', 'WF005'],
        ['[null]', 'WF005'],
        [JSON.stringify(Array.from({ length: MAX_DEPENDENCIES + 1 }, () => ({}))), 'WF005'],
        [`[${'['.repeat(2000)}${']'.repeat(2000)}]`, 'WF005'],
        [JSON.stringify([{ session: randomUUID(), nFrom: 1, nTo: 1, update: base64(1) }]), 'WF016'],
      ],
      known_seq: [...NO_BIGINT, [null, 'WF005'], [-1, 'WF005'], ['9223372036854775807', 'ok']],
      schema_version: [...NO_INT, [null, 'WF005'], [0, 'WF005'], [2_147_483_647, '55000']],
      live_peers: [...NO_INT, [null, 'ok'], [-1, 'ok'], [2_147_483_647, 'ok']],
      row_version: ROW_VERSIONS,
      known_at: KNOWN_AT,
    },
  },
  prepare_erasing: { by: manager, valid: ({ page }) => ({ document: page }), bad: { document: DOCUMENT } },
  erase_history: {
    by: manager,
    valid: ({ page }) => ({ document: page, known_seq: 2, known_at: null, update: base64(0, 0), title: 'T' }),
    bad: {
      document: DOCUMENT,
      known_seq: [...NO_BIGINT, [null, 'ok'], [-1, 'ok'], [0, 'ok'], ['9223372036854775807', 'ok']],
      known_at: KNOWN_AT,
      update: [
        [null, 'WF005'],
        ['', 'WF005'],
        ['*', 'WF005'],
        ['AAA', 'WF005'],
        [zeros(MAX_SNAPSHOT_BYTES + 1), 'WF005'],
      ],
      title: [
        [null, 'WF005'],
        ['x'.repeat(201), 'WF005'],
        ['', 'ok'],
      ],
    },
  },
  put_back: {
    by: editor,
    valid: ({ page }) => ({
      document: page,
      known_seq: 2,
      known_at: null,
      update: base64(0, 0),
      schema_version: 1,
      live_peers: null,
    }),
    bad: {
      document: DOCUMENT,
      known_seq: [...NO_BIGINT, [null, 'WF005'], [-1, 'WF005'], [0, 'ok'], ['9223372036854775807', 'ok']],
      known_at: KNOWN_AT,
      update: [
        [null, 'WF005'],
        ['', 'WF005'],
        ['*', 'WF005'],
        ['AAA', 'WF005'],
        ['\\x00', 'WF005'],
        ['ä', 'WF005'],
        [zeros(MAX_SNAPSHOT_BYTES + 1), 'WF005'],
        [zeros(2 * MAX_SNAPSHOT_BYTES), 'WF005'],
        [zeros(MAX_SNAPSHOT_BYTES), 'ok'],
      ],
      schema_version: [...NO_INT, [null, 'WF005'], [0, 'WF005'], [2_147_483_647, '55000']],
      live_peers: [...NO_INT, [null, 'ok'], [-1, 'ok'], [2_147_483_647, 'ok']],
      row_version: ROW_VERSIONS,
      set_aside_at: UNKNOWN_AT,
    },
  },
  publish_pending: { by: editor, valid: ({ page }) => ({ document: page }), bad: { document: DOCUMENT } },
  claim_snapshot: { by: editor, valid: ({ page }) => ({ document: page }), bad: { document: DOCUMENT } },
  save_snapshot: {
    by: editor,
    valid: ({ page }) => ({
      document: page,
      seq: 2,
      state: Buffer.from(STATE).toString('base64'),
      sha256: sha256(STATE),
    }),
    before: (sql, fixture) => sql.call(fixture.people.editor, 'claim_snapshot', { document: fixture.page }),
    bad: {
      known_at: KNOWN_AT,
      document: DOCUMENT,
      seq: [...NO_BIGINT, [null, 'WF005'], [0, 'WF005'], [-1, 'WF005'], [3, 'WF005']],
      state: [
        [null, 'WF005'],
        ['', 'WF005'],
        ['*', 'WF005'],
        ['AAA', 'WF005'],
        [base64(1, 2, 4), 'WF005'],
        [zeros(MAX_SNAPSHOT_BYTES + 1), 'WF005'],
      ],
      sha256: [
        [null, 'WF005'],
        ['', 'WF005'],
        [sha256(Uint8Array.of(9)), 'WF005'],
        [sha256(STATE).toUpperCase(), 'WF005'],
        [`${sha256(STATE)} `, 'WF005'],
      ],
    },
  },
  save_text: {
    by: editor,
    valid: ({ page }) => ({ document: page, seq: 2, title: 'Title', body_text: 'Text' }),
    bad: {
      document: DOCUMENT,
      seq: [...NO_BIGINT, [null, 'WF005'], [-1, 'WF005'], [3, 'WF005'], ['9223372036854775807', 'WF005']],
      title: [
        [null, 'WF005'],
        ['x'.repeat(MAX_TITLE_LENGTH + 1), 'WF005'],
        ['𠀀'.repeat(MAX_TITLE_LENGTH), 'ok'],
      ],
      known_at: KNOWN_AT,
      body_text: [
        [null, 'WF005'],
        ['x'.repeat(20 * 1024 * 1024 + 1), 'WF005'],
        ['', 'ok'],
        ['\u0001\u202e<script>', 'ok'],
      ],
      mentions: [
        [null, 'WF005'],
        ['{}', 'WF005'],
        ['x', '22P02'],
        [JSON.stringify([{ user: 'x', block: 'b' }]), '22P02'],
        [JSON.stringify([{ user: randomUUID(), block: 'b' }, {}, 1, null]), 'ok'],
        [JSON.stringify(Array.from({ length: 5_000 }, () => ({ user: randomUUID(), block: 'b' }))), 'ok'],
      ],
    },
  },
  open_watch: {
    by: () => 'anon',
    valid: ({ links }) => ({ secret: links.viewer.secret, since: 0 }),
    bad: {
      secret: [
        [null, 'WF009'],
        ['', 'WF009'],
        ['A'.repeat(22), 'WF009'],
        ['A'.repeat(1_000_000), 'WF009'],
        ["' or true --", 'WF009'],
        ['%', 'WF009'],
      ],
      since: [...NO_BIGINT, ...TOLERATED],
      row_version: ROW_VERSIONS,
      known_at: UNKNOWN_AT,
      ...WATCHING,
    },
  },
};

test(
  'the table has a row for every argument of every one of these functions',
  withWorkspace(async (sql) => {
    const functions = await sql.rows<{ name: string; args: string[] }>(
      `select proname as name, proargnames as args from pg_proc
       where pronamespace = 'public'::regnamespace and proname = any ($1) order by proname`,
      [Object.keys(FUNCTIONS)],
    );
    expect(Object.fromEntries(functions.map(({ name, args }) => [name, args.toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(FUNCTIONS).map(([name, { bad }]) => [name, Object.keys(bad).toSorted()])),
    );
  }),
);

test.each(Object.entries(FUNCTIONS))(
  '%s refuses each malformed, forged or oversized argument with its code',
  (name, row) =>
    withWorkspace(async (sql, fixture) => {
      await row.before?.(sql, fixture);
      const code = (args: Args) => sql.outcome(() => sql.call(row.by(fixture), name, { ...args }));
      expect(await code(row.valid(fixture))).toBe('ok');
      for (const [argument, values] of Object.entries(row.bad)) {
        for (const [value, expected] of values) {
          const shown = String(value).slice(0, 60);
          const found = await code({ ...row.valid(fixture), [argument]: value });
          expect([argument, shown, found]).toEqual([argument, shown, expected]);
        }
      }
      // None of them had an effect: the valid call still succeeds.
      expect(await code(row.valid(fixture))).toBe('ok');
    })(),
);
