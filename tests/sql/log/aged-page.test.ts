// A page of five years: 100 people, 200,000 sessions, 2,000,000 edits in 20,000 compacted rows, and what gathers beside it. What
// a call reads and answers is what it would be on a page of a week.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SqlDatabase, base64 } from '../../support/database/sql.ts';
import { type AgedPage, GROWING, buildAgedPage } from '../fixture/aged-page.ts';
import { costOf, rowsRead } from '../fixture/cost.ts';

let database: SqlDatabase;
let aged: AgedPage;
beforeAll(async () => {
  database = await SqlDatabase.open();
  aged = await database.setUp(buildAgedPage);
}, 120_000);
afterAll(() => database.close());

type Case = {
  readonly title: string;
  readonly name: string;
  readonly args: () => Record<string, unknown>;
  /** The most rows of all growing tables together. */
  readonly rows: number;
  readonly bytes: number;
};

/** The rows newer than the snapshot: 300 of 300 sessions. */
const TAIL = { rows: 950, bytes: 61_000 };
const page = () => ({ document: aged.page });

const CASES: readonly Case[] = [
  { title: 'is opened', name: 'open_document', args: () => ({ ...page(), since: 0, row_version: 3 }), ...TAIL },
  {
    title: 'is opened by a device that has most of it',
    name: 'open_document',
    args: () => ({ ...page(), since: aged.head - 10, row_version: 3 }),
    rows: 50,
    bytes: 3_500,
  },
  {
    title: 'answers with the newest rows',
    name: 'rows_since',
    args: () => ({ ...page(), seq: aged.head - 10, row_limit: 500, row_version: 3 }),
    rows: 50,
    bytes: 2_500,
  },
  {
    title: 'answers with its first rows',
    name: 'rows_since',
    args: () => ({ ...page(), seq: 0, row_limit: 500, row_version: 3 }),
    rows: 1_600,
    bytes: 700_000,
  },
  {
    title: 'answers with its first rows to an old app',
    name: 'rows_since',
    args: () => ({ ...page(), seq: 0, row_limit: 500 }),
    rows: 17_000,
    bytes: 1_400_000,
  },
  { title: 'is watched', name: 'open_watch', args: () => ({ secret: aged.secret, since: 0, row_version: 3 }), ...TAIL },
  {
    title: 'is watched on',
    name: 'open_watch',
    args: () => ({ secret: aged.secret, since: aged.head - 10, row_version: 3 }),
    rows: 50,
    bytes: 3_000,
  },
  {
    title: 'is watched on the view topic',
    name: 'keep_watching',
    args: () => ({ ...page(), seq: aged.head, row_version: 3 }),
    rows: 5,
    bytes: 500,
  },
  {
    title: 'names a session',
    name: 'session_info',
    args: () => ({ ...page(), sessions: [aged.session] }),
    rows: 5,
    bytes: 300,
  },
  {
    title: 'registers a session',
    name: 'start_session',
    args: () => ({ ...page(), session: randomUUID(), client_id: 999_999, schema_version: 1 }),
    rows: 5,
    bytes: 100,
  },
  {
    title: 'announces a session',
    name: 'announce_session',
    args: () => ({ ...page(), session: aged.session, is_writing: true }),
    rows: 450,
    bytes: 100,
  },
  {
    title: 'takes an edit that builds on others',
    name: 'append_update',
    args: () => ({
      ...page(),
      session: aged.session,
      n_from: 2,
      n_to: 2,
      update: base64(7),
      known_seq: aged.head,
      schema_version: 1,
      dependencies: [{ session: aged.otherSession, nFrom: 2, nTo: 2, update: base64(8) }],
      live_peers: 1,
      row_version: 3,
    }),
    rows: 10,
    bytes: 500,
  },
  {
    title: 'takes an edit again',
    name: 'append_update',
    args: () => ({
      ...page(),
      session: aged.session,
      n_from: 1,
      n_to: 1,
      update: base64(7),
      dependencies: [],
      known_seq: aged.head,
      schema_version: 1,
      live_peers: 0,
      row_version: 3,
    }),
    rows: 10,
    bytes: 500,
  },
  {
    title: 'takes a copy of its text',
    name: 'save_text',
    args: () => ({ ...page(), seq: aged.head, title: 'Five years', body_text: 'a keeper' }),
    rows: 650,
    bytes: 100,
  },
  { title: 'gives the right to save a snapshot', name: 'claim_snapshot', args: page, rows: 5, bytes: 200 },
  {
    title: 'is found',
    name: 'search_documents',
    args: () => ({ workspace: aged.workspace, query: 'lighthouse' }),
    rows: 5,
    bytes: 2_000,
  },
  { title: 'shows its newest editing sessions', name: 'list_sittings', args: page, rows: 2_500, bytes: 20_000 },
  {
    title: 'is shown as of a moment',
    name: 'rows_until',
    args: () => ({ ...page(), after: 0, until: aged.head - 20, row_version: 3 }),
    ...TAIL,
  },
  { title: 'is visited', name: 'mark_visited', args: () => ({ ...page(), seq: aged.head }), rows: 5, bytes: 300 },
  {
    title: 'is in the list of what happened',
    name: 'list_activity',
    args: () => ({ workspace: aged.workspace }),
    rows: 300,
    bytes: 12_000,
  },
  { title: 'is in the inbox', name: 'list_notifications', args: () => ({}), rows: 300, bytes: 13_000 },
];

describe('a page of five years', () => {
  test.each(CASES)('$title', ({ name, args, rows, bytes }) =>
    database.rolledBack(async (sql) => {
      const cost = await costOf(sql, GROWING, () => sql.call(aged.editor, name, args()));
      expect(cost.scans).toEqual([]);
      expect(rowsRead(cost)).toBeLessThanOrEqual(rows);
      expect(cost.bytes).toBeLessThanOrEqual(bytes);
    }),
  );
});
