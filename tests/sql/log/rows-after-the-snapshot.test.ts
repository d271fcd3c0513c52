// A person who comes by a link that does not show the history gets the newest snapshot and the rows after it, by every call that
// gives rows.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAnswer, rowsAnswer, watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import * as Y from 'yjs';
import { toBase64 } from '../../../src/lib/bytes.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, appendArgs, shareLink, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

/** Writes two rows: a word, and its deletion. The document is what a snapshot of them has. */
async function withDeletedWord(sql: Sql, { page, people: { editor } }: WorkspaceFixture): Promise<Y.Doc> {
  const { session, clientId } = await startSession(sql, editor, page);
  const doc = new Y.Doc();
  doc.clientID = clientId;
  const updates: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(update));
  doc.getText('t').insert(0, 'confidential words');
  doc.getText('t').delete(0, 'confidential '.length);
  for (const [index, update] of updates.entries()) {
    const n = index + 1;
    await append(sql, editor, { document: page, session, nFrom: n, nTo: n, update: toBase64(update) });
  }
  return doc;
}

async function saveSnapshot(sql: Sql, { page, people: { editor } }: WorkspaceFixture, seq: number, doc: Y.Doc) {
  const state = Y.encodeStateAsUpdateV2(doc);
  await sql.call(editor, 'claim_snapshot', { document: page });
  const sha256 = createHash('sha256').update(state).digest('hex');
  await sql.call(editor, 'save_snapshot', { document: page, seq, state: toBase64(state), sha256 });
}

/** Everything that is base64 in an answer, decoded. */
const bytesIn = (answer: unknown): string =>
  JSON.stringify(answer).replaceAll(/[A-Za-z0-9+/]{12,}={0,2}/gu, (text) =>
    Buffer.from(text, 'base64').toString('latin1'),
  );

const SINCE = [-1, 0, 1, 2, 3, 4, 5];

/** The answers of all calls that give rows, for each row that a caller can name. */
async function allRows(sql: Sql, by: Caller, { page }: WorkspaceFixture): Promise<string> {
  const found: string[] = [];
  const ask = async (name: string, args: Record<string, unknown>) => {
    let answer: unknown = null;
    const outcome = await sql.outcome(async () => (answer = await sql.call(by, name, args)));
    found.push(outcome === 'ok' ? bytesIn(answer) : outcome);
  };
  for (const since of SINCE) {
    await ask('open_document', { document: page, since, row_version: 4 });
    await ask('rows_since', { document: page, seq: since, row_limit: 500, row_version: 4 });
    await ask('keep_watching', { document: page, seq: since, row_version: 4 });
    await ask('history_rows', { document: page, after: since, row_version: 4 });
    for (const until of SINCE) await ask('rows_until', { document: page, after: since, until, row_version: 4 });
  }
  return found.join('\n');
}

test(
  'no call gives them a word that was deleted before the newest snapshot',
  withWorkspace(async (sql, fixture) => {
    const { page, links, people } = fixture;
    const doc = await withDeletedWord(sql, fixture);
    const watched = async (secret: string) => {
      const answers: unknown[] = [];
      for (const since of SINCE) answers.push(await sql.call('anon', 'open_watch', { secret, since, row_version: 4 }));
      return answers.map(bytesIn).join('\n');
    };
    const { session } = await startSession(sql, people.redeemedEditor, page);
    const appended = async (known: number, n: number) =>
      bytesIn(
        await sql.call(people.redeemedEditor, 'append_update', {
          ...appendArgs({ document: page, session, nFrom: n, nTo: n, knownSeq: known }),
          row_version: 4,
        }),
      );
    // There is no such snapshot yet.
    expect(await allRows(sql, people.redeemedEditor, fixture)).toContain('confidential');
    expect(await watched(links.viewer.secret)).toContain('confidential');
    expect(await appended(2, 1)).toContain('confidential');

    await saveSnapshot(sql, fixture, 4, doc);
    expect(await allRows(sql, people.viewer, fixture)).toContain('confidential');
    for (const by of [people.redeemedEditor, people.redeemedCommenter]) {
      const rows = await allRows(sql, by, fixture);
      expect(rows).toContain('words');
      expect(rows).not.toContain('confidential');
    }
    expect(await watched(links.viewer.secret)).not.toContain('confidential');
    for (const [index, known] of [1, 2, 3].entries())
      expect(await appended(known, index + 2)).not.toContain('confidential');
    await sql.rows('update public.share_links set history = true');
    expect(await allRows(sql, people.redeemedEditor, fixture)).toContain('confidential');
    expect(await watched(links.viewer.secret)).toContain('confidential');
  }),
);

test(
  'an answer begins with the snapshot, also for who names an older row',
  withWorkspace(async (sql, fixture) => {
    const { page, links, people } = fixture;
    await saveSnapshot(sql, fixture, 2, await withDeletedWord(sql, fixture));
    const opened = (by: Caller, since: number) =>
      sql.ask(by, openAnswer, 'open_document', { document: page, since, row_version: 4 });
    const rows = (by: Caller) =>
      sql.ask(by, rowsAnswer, 'rows_since', { document: page, seq: 1, row_limit: 500, row_version: 4 });
    const seqs = (answer: { readonly rows: readonly { readonly seq: number }[] }) => answer.rows.map(({ seq }) => seq);
    const byLink = await opened(people.redeemedEditor, 1);
    expect([byLink.snapshot?.seq, seqs(byLink)]).toEqual([2, [3, 4]]);
    const byRole = await opened(people.viewer, 1);
    expect([byRole.snapshot, seqs(byRole)]).toEqual([null, [2, 3, 4]]);
    expect(seqs(await opened(people.redeemedEditor, 3))).toEqual([4]);
    expect([seqs(await rows(people.redeemedEditor)), seqs(await rows(people.viewer))]).toEqual([
      [3, 4],
      [2, 3, 4],
    ]);
    const watched = await sql.ask('anon', watchAnswer, 'open_watch', {
      secret: links.viewer.secret,
      since: -1,
      row_version: 4,
    });
    expect([watched.snapshot?.seq, seqs(watched)]).toEqual([2, [3, 4]]);
  }),
);

test(
  'a snapshot is wanted when someone makes such a link or comes by one, at most every ten minutes',
  withWorkspace(async (sql, fixture) => {
    const { page, links, people } = fixture;
    const isWanted = async () =>
      (await sql.ask(people.editor, openAnswer, 'open_document', { document: page, since: 0, row_version: 4 }))
        .snapshotWanted;
    const age = () => sql.rows(`update public.document_snapshots set created_at = created_at - interval '11 minutes'`);
    const doc = await withDeletedWord(sql, fixture);
    await age();
    await sql.rows('update public.document_heads set snapshot_wanted = false');
    await shareLink(sql, people.owner, page, 'viewer');
    expect(await isWanted()).toBe(true);
    await saveSnapshot(sql, fixture, 3, doc);
    expect(await isWanted()).toBe(false);

    const watch = () => sql.call('anon', 'open_watch', { secret: links.viewer.secret, since: 0 });
    const come = () =>
      sql.call(people.redeemedEditor, 'rows_since', { document: page, seq: 4, row_limit: 1, row_version: 4 });
    await watch();
    await come();
    expect(await isWanted()).toBe(false);
    await age();
    await come();
    expect(await isWanted()).toBe(true);
    await saveSnapshot(sql, fixture, 4, doc);
    await age();
    // Nothing has been written since.
    await watch();
    expect(await isWanted()).toBe(false);
  }),
);

test(
  'Realtime’s messages with older rows are gone with the snapshot, and those that may be on their way stay',
  withWorkspace(async (sql, fixture) => {
    const { links, page } = fixture;
    // As on the embedded backend. The owner of a hosted project may not delete them.
    await sql.rows('alter function weft.snapshot_taken() owner to supabase_admin');
    const topics = [`w:${links.viewer.topicKey}`, `d:${page}:1.1`];
    for (const topic of [...topics, 'w:another'])
      await sql.rows(
        `insert into realtime.messages (topic, extension, event, inserted_at)
         values ($1, 'broadcast', 'rows', localtimestamp), ($1, 'broadcast', 'old', localtimestamp - interval '1 minute')`,
        [topic],
      );
    await saveSnapshot(sql, fixture, 2, new Y.Doc());
    const left = await sql.rows<{ topic: string; event: string }>(
      `select distinct topic, event from realtime.messages
       where topic = any ($1) and event in ('rows', 'old') order by topic, event`,
      [[...topics, 'w:another']],
    );
    const sent = [...topics, 'w:another'].flatMap((topic) => ['old', 'rows'].map((event) => ({ topic, event })));
    expect(left).toEqual(
      expect.arrayContaining(sent.filter(({ topic, event }) => event === 'rows' || topic === 'w:another')),
    );
    expect(left.length).toBe(4);
  }),
);
