// The times of rows: version 2 of row messages, and what an app from before still gets.
import { expect, test } from 'vitest';
import { appendAnswer, openAnswer, rowsAnswer, watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import { type Row, ROW_VERSION, decodeRows } from 'weft-sync/protocol/row.ts';
import type { Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, appendArgs } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const timesOf = (rows: readonly Row[]) => rows.map(({ at }) => at);

/** Moves the rows of the page to known times: the row of seq n was written n minutes after that moment. */
async function writeAt(sql: Sql, document: string, start: string): Promise<(seq: number) => number> {
  await sql.rows(
    `update public.document_updates set created_at = $2::timestamptz + seq * interval '1 minute' where document_id = $1`,
    [document, start],
  );
  return (seq) => Date.parse(start) + seq * 60_000;
}

/** Every call that is answered with rows. */
async function answers(sql: Sql, fixture: WorkspaceFixture, version: object) {
  const { editor } = fixture.people;
  const document = fixture.page;
  const send = appendArgs({ document, session: fixture.editorSession, nFrom: 1, nTo: 1, knownSeq: 0 });
  return {
    opened: await sql.ask(editor, openAnswer, 'open_document', { document, since: 0, ...version }),
    since: await sql.ask(editor, rowsAnswer, 'rows_since', { document, seq: 0, row_limit: 500, ...version }),
    kept: await sql.ask(editor, rowsAnswer, 'keep_watching', { document, seq: 0, ...version }),
    watched: await sql.ask('anon', watchAnswer, 'open_watch', {
      secret: fixture.links.viewer.secret,
      since: -1,
      ...version,
    }),
    // A repeat of what the log has, by a client that has no rows.
    appended: await sql.ask(editor, appendAnswer, 'append_update', { ...send, ...version }),
  };
}

test(
  'every answer with rows has their times for an app that reads version 2, and version 1 for one that does not say so',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('delete from public.document_snapshots');
    const at = await writeAt(sql, fixture.page, '2026-11-22T12:00:00.123Z');
    const newer = Object.entries(await answers(sql, fixture, { row_version: ROW_VERSION }));
    for (const [name, { rows }] of newer) expect([name, timesOf(rows)]).toEqual([name, [at(1), at(2)]]);
    for (const version of [{}, { row_version: 1 }, { row_version: null }]) {
      const older = Object.entries(await answers(sql, fixture, version));
      for (const [name, { rows }] of older) expect([name, timesOf(rows)]).toEqual([name, [undefined, undefined]]);
    }
  }),
);

test(
  'an append answers and publishes its row with the time that is stored',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const send = appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2, knownSeq: 2 });
    await sql.ask('anon', watchAnswer, 'open_watch', { secret: fixture.links.viewer.secret, since: 0 });
    let answered: readonly Row[] = [];
    const sent = await sql.sentDuring(async () => {
      answered = (await sql.ask(editor, appendAnswer, 'append_update', { ...send, row_version: 2 })).rows;
    });
    const { at } = await sql.row<{ at: string }>(
      'select created_at as at from public.document_updates where document_id = $1 and seq = 3',
      [fixture.page],
    );
    expect(timesOf(answered)).toEqual([Date.parse(at)]);
    const published = sent.map(({ bytes }) => decodeRows(bytes ?? new Uint8Array()));
    expect(published.length).toBe(3);
    for (const message of published) expect(message).toMatchObject({ ok: true, value: { rows: answered } });
  }),
);

test(
  'opening a page and a link says when it was changed, with no row in the answer too',
  withWorkspace(async (sql, fixture) => {
    const at = await writeAt(sql, fixture.page, '2026-11-22T12:00:00.123Z');
    const changed = async () => {
      const { editor } = fixture.people;
      const opened = await sql.ask(editor, openAnswer, 'open_document', { document: fixture.page, since: 2 });
      const watched = await sql.ask('anon', watchAnswer, 'open_watch', {
        secret: fixture.links.viewer.secret,
        since: 2,
      });
      expect([opened.rows, watched.rows]).toEqual([[], []]);
      return [opened.changedAt, watched.changedAt];
    };
    expect(await changed()).toEqual([at(2), at(2)]);
    // A snapshot may have replaced the row: then the time of the page's text counts.
    await sql.rows('delete from public.document_updates where document_id = $1', [fixture.page]);
    await sql.rows('update public.documents set updated_at = $2 where id = $1', [fixture.page, '2026-11-22T11:00:00Z']);
    expect(await changed()).toEqual(Array(2).fill(Date.parse('2026-11-22T11:00:00Z')));
  }),
);
