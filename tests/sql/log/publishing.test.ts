// The messages that the database publishes on topics to watchers: rows, at most once per second.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { watchInterval } from 'weft-sync/live/message-cost.ts';
import { MAX_WATCH_MESSAGE_BYTES } from 'weft-sync/protocol/limits.ts';
import { announcement, publishAnswer, rowsAnswer, watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import { type RowMessage, decodeRows } from 'weft-sync/protocol/row.ts';
import { pageBudget } from '../../../src/sessions/page-budget.ts';
import type { Caller, Message, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, shareLink } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const watch = (sql: Sql, secret: string, since = 0, by: Caller = 'anon') =>
  sql.ask(by, watchAnswer, 'open_watch', { secret, since });
const keepWatching = (sql: Sql, fixture: WorkspaceFixture, by: Caller, seq = 0) =>
  sql.ask(by, rowsAnswer, 'keep_watching', { document: fixture.page, seq });
const edit = (sql: Sql, fixture: WorkspaceFixture, n: number, bytes = 1, livePeers = 0) =>
  append(sql, fixture.people.editor, {
    document: fixture.page,
    session: fixture.editorSession,
    nFrom: n,
    nTo: n,
    update: Buffer.alloc(bytes, 7).toString('base64'),
    livePeers,
  });
const publishPending = (sql: Sql, fixture: WorkspaceFixture) =>
  sql.ask(fixture.people.editor, publishAnswer, 'publish_pending', { document: fixture.page });
/** Lets the second since the last publication pass. */
const aSecondLater = (sql: Sql) => later(sql, 1);
const later = (sql: Sql, seconds: number) =>
  sql.rows('update public.document_heads set published_at = published_at - make_interval(secs => $1)', [seconds]);
const setMessagesPerSecond = (sql: Sql, messages: number) =>
  sql.rows('update weft.settings set messages_per_second = $1', [messages]);
/** So many watch by this link; `open_watch` would count each on its own call. */
const watchedBy = (sql: Sql, fixture: WorkspaceFixture, count: number) =>
  sql.rows(
    `insert into weft.watchers (document_id, watcher, link_id, stance, seen_at)
     select $1, gen_random_uuid(), $2, 'none', now() from generate_series(1, $3)`,
    [fixture.page, fixture.links.viewer.id, count],
  );
const head = (sql: Sql, fixture: WorkspaceFixture) =>
  sql.row<{ published_seq: number; head_seq: number; watched_until: unknown }>(
    'select published_seq, head_seq, watched_until from public.document_heads where document_id = $1',
    [fixture.page],
  );

/** The topic of each message, and the seqs of its rows or "fetch". */
const published = (messages: readonly Message[]) =>
  messages.map((message) => {
    const decoded = decodeRows(message.bytes ?? new Uint8Array());
    if (!decoded.ok) throw new Error(decoded.error.detail);
    return [message.topic, message.event, seqsOf(decoded.value)] as const;
  });
const seqsOf = (message: RowMessage) => (message.kind === 'fetch' ? 'fetch' : message.rows.map((row) => row.seq));

test(
  'without watchers nothing is published, and old rows are not published once someone watches',
  withWorkspace(async (sql, fixture) => {
    expect(await sql.sentDuring(() => edit(sql, fixture, 2))).toEqual([]);
    expect((await head(sql, fixture)).published_seq).toBe(3);
    await watch(sql, fixture.links.viewer.secret);
    const sent = await sql.sentDuring(() => edit(sql, fixture, 3));
    expect(published(sent).map(([, , seqs]) => seqs)).toEqual([[4], [4]]);
  }),
);

test(
  'rows are published to every watched link and to signed-in watchers, at most once per second and page',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.links;
    const other = await shareLink(sql, fixture.people.owner, fixture.page, 'viewer');
    await watch(sql, viewer.secret);
    await watch(sql, other.secret);
    const topics = [`v:${fixture.page}:1.1`, `w:${viewer.topicKey}`, `w:${other.topicKey}`];

    const first = await sql.sentDuring(async () => expect((await edit(sql, fixture, 2)).unpublished).toBe(false));
    expect(published(first)).toEqual(topics.map((topic) => [topic, 'rows', [3]]));

    const within = await sql.sentDuring(async () => {
      expect((await edit(sql, fixture, 3)).unpublished).toBe(true);
      expect((await edit(sql, fixture, 4)).unpublished).toBe(true);
      expect(await publishPending(sql, fixture)).toMatchObject({ publishedSeq: 3 });
    });
    expect(within).toEqual([]);

    await aSecondLater(sql);
    const rest = await sql.sentDuring(async () => {
      expect(await publishPending(sql, fixture)).toMatchObject({ publishedSeq: 5 });
      expect(await publishPending(sql, fixture)).toMatchObject({ publishedSeq: 5 });
    });
    expect(published(rest)).toEqual(topics.map((topic) => [topic, 'rows', [4, 5]]));

    await aSecondLater(sql);
    const next = await sql.sentDuring(async () => expect((await edit(sql, fixture, 5)).unpublished).toBe(false));
    expect(published(next)).toEqual(topics.map((topic) => [topic, 'rows', [6]]));
  }),
);

test(
  'an append more than a second after the last publication also publishes the rows that waited for it',
  withWorkspace(async (sql, fixture) => {
    await watch(sql, fixture.links.viewer.secret);
    await edit(sql, fixture, 2);
    await edit(sql, fixture, 3);
    await aSecondLater(sql);
    const sent = await sql.sentDuring(() => edit(sql, fixture, 4));
    expect(published(sent).map(([, , seqs]) => seqs)).toEqual([
      [4, 5],
      [4, 5],
    ]);
  }),
);

test(
  'rows of more than 200 KiB are published as "fetch", and up to that size as a whole',
  withWorkspace(async (sql, fixture) => {
    await watch(sql, fixture.links.viewer.secret);
    const fits = MAX_WATCH_MESSAGE_BYTES - 22 - 70;
    const whole = await sql.sentDuring(() => edit(sql, fixture, 2, fits));
    expect(whole.map((message) => message.bytes?.length)).toEqual([MAX_WATCH_MESSAGE_BYTES, MAX_WATCH_MESSAGE_BYTES]);
    await aSecondLater(sql);
    const large = await sql.sentDuring(() => edit(sql, fixture, 3, fits + 1));
    expect(published(large).map(([, , seqs]) => seqs)).toEqual(['fetch', 'fetch']);
    const many = await sql.sentDuring(async () => {
      await edit(sql, fixture, 4, 150_000);
      await edit(sql, fixture, 5, 150_000);
      await aSecondLater(sql);
      await publishPending(sql, fixture);
    });
    expect(published(many).map(([, , seqs]) => seqs)).toEqual(['fetch', 'fetch']);
    expect((await head(sql, fixture)).published_seq).toBe(6);
  }),
);

test(
  'a watch lasts 60 seconds, is written again only after 20 of them, and ends by itself',
  withWorkspace(async (sql, fixture) => {
    const { secret } = fixture.links.viewer;
    await watch(sql, secret);
    const version = () =>
      sql.row(
        `select h.xmin::text as head, h.ctid::text, l.ctid::text as link from public.document_heads as h, public.share_links as l
         where h.document_id = $1 and l.id = $2`,
        [fixture.page, fixture.links.viewer.id],
      );
    const left = () =>
      sql.row<{ page: number; link: number }>(
        `select extract(epoch from h.watched_until - now())::int as page,
           extract(epoch from l.watched_until - now())::int as link
         from public.document_heads as h, public.share_links as l where h.document_id = $1 and l.id = $2`,
        [fixture.page, fixture.links.viewer.id],
      );
    expect((await left()).page).toBeGreaterThan(55);
    const before = await version();
    await watch(sql, secret, 2);
    expect(await version()).toEqual(before);

    const pass = (seconds: number) =>
      sql.rows(
        `with heads as (update public.document_heads set watched_until = watched_until - $1 * interval '1 second')
         update public.share_links set watched_until = watched_until - $1 * interval '1 second'`,
        [seconds],
      );
    await pass(21);
    await watch(sql, secret, 2);
    expect((await left()).page).toBeGreaterThan(55);
    expect((await left()).link).toBeGreaterThan(55);

    await pass(70);
    expect(await sql.sentDuring(() => edit(sql, fixture, 2))).toEqual([]);
    // Someone watches through one link: nothing is published to the other link's topic.
    const other = await shareLink(sql, fixture.people.owner, fixture.page, 'viewer');
    await watch(sql, other.secret);
    const sent = await sql.sentDuring(() => edit(sql, fixture, 3));
    expect(published(sent).map(([topic]) => topic)).toEqual([`v:${fixture.page}:1.1`, `w:${other.topicKey}`]);
  }),
);

test(
  'keep_watching returns the rows a signed-in watcher lacks, and as long as watchers call it, rows are published to the view topic',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.people;
    expect(await sql.sentDuring(() => edit(sql, fixture, 2))).toEqual([]);
    const answer = await keepWatching(sql, fixture, viewer, 1);
    expect(answer).toMatchObject({ head: 3, more: false, epoch: '1.1', role: 'viewer' });
    expect(answer.rows.map((row) => row.seq)).toEqual([2, 3]);
    expect((await head(sql, fixture)).published_seq).toBe(3);

    const topicsAndSeqs = (messages: readonly Message[]) => published(messages).map(([topic, , seqs]) => [topic, seqs]);
    const viewTopic = `v:${fixture.page}:1.1`;
    const first = await sql.sentDuring(async () => expect((await edit(sql, fixture, 3)).unpublished).toBe(false));
    expect(topicsAndSeqs(first)).toEqual([[viewTopic, [4]]]);
    // The author of the next row publishes it when a second has passed, as for links.
    const soon = await sql.sentDuring(async () => expect((await edit(sql, fixture, 4)).unpublished).toBe(true));
    expect(soon).toEqual([]);
    await aSecondLater(sql);
    const rest = await sql.sentDuring(() => publishPending(sql, fixture));
    expect(topicsAndSeqs(rest)).toEqual([[viewTopic, [5]]]);

    await sql.rows(`update public.document_heads set watched_until = now() - interval '1 second'`);
    const over = await sql.sentDuring(async () => expect((await edit(sql, fixture, 5)).unpublished).toBe(false));
    expect(over).toEqual([]);
  }),
);

test(
  'any number of signed-in watchers write the head once in twenty seconds, and do not extend any link’s time',
  withWorkspace(async (sql, fixture) => {
    const { viewer, commenter } = fixture.people;
    const stored = () =>
      sql.row<{ version: string; left: number; links: number }>(
        `select h.ctid::text as version, extract(epoch from h.watched_until - clock_timestamp())::int as left,
           (select count(*)::int from public.share_links where watched_until is not null) as links
         from public.document_heads as h where h.document_id = $1`,
        [fixture.page],
      );
    await keepWatching(sql, fixture, viewer);
    const first = await stored();
    expect(first.left).toBeGreaterThan(55);
    expect(first.links).toBe(0);
    for (const person of [viewer, commenter, viewer]) await keepWatching(sql, fixture, person);
    expect((await stored()).version).toBe(first.version);

    await sql.rows(`update public.document_heads set watched_until = watched_until - interval '21 seconds'`);
    await keepWatching(sql, fixture, commenter);
    expect((await stored()).left).toBeGreaterThan(55);
  }),
);

test(
  'a person who lost their role cannot extend the time',
  withWorkspace(async (sql, fixture) => {
    const { viewer, owner } = fixture.people;
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: viewer.id, role: null });
    expect((await sql.refusal(viewer, 'keep_watching', { document: fixture.page, seq: 0 })).code).toBe('WF001');
    expect((await head(sql, fixture)).watched_until).toBe(null);
  }),
);

test(
  'nothing is published to a revoked or expired link, even if someone has just watched through it',
  withWorkspace(async (sql, fixture) => {
    await watch(sql, fixture.links.viewer.secret);
    const other = await shareLink(sql, fixture.people.owner, fixture.page, 'viewer');
    await watch(sql, other.secret);
    await sql.call(fixture.people.owner, 'revoke_share_link', { link: fixture.links.viewer.id });
    await sql.rows(`update public.share_links set expires_at = now() - interval '1 second' where id = $1`, [other.id]);
    const sent = await sql.sentDuring(() => edit(sql, fixture, 2));
    expect(published(sent).map(([topic]) => topic.replace(/:.*/, ''))).toEqual(['v']);
  }),
);

test(
  'open_watch returns title, topic, snapshot and rows, and later the new rows',
  withWorkspace(async (sql, fixture) => {
    const opened = await watch(sql, fixture.links.viewer.secret);
    expect(opened).toMatchObject({
      documentId: fixture.page,
      title: 'Welcome to Weft',
      topic: `w:${fixture.links.viewer.topicKey}`,
      role: 'viewer',
      head: 2,
      schemaVersion: 1,
      snapshot: { seq: 1 },
      more: false,
      expiresAt: null,
    });
    expect(opened.rows.map((row) => row.seq)).toEqual([2]);
    await edit(sql, fixture, 2);
    const again = await watch(sql, fixture.links.viewer.secret, 2);
    expect([again.snapshot, again.rows.map((row) => row.seq), again.head]).toEqual([null, [3], 3]);
    // A signed-in watcher gets the same answer.
    expect(await watch(sql, fixture.links.viewer.secret, 2, fixture.people.stranger)).toEqual(again);
  }),
);

test(
  'open_watch refuses a wrong secret and the secret of a link that has ended',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const code = (secret: string | null) => sql.outcome(() => sql.call('anon', 'open_watch', { secret, since: 0 }));
    const soon = await shareLink(sql, owner, fixture.page, 'viewer', new Date(Date.now() + 60_000).toISOString());
    for (const wrong of ['', 'x', fixture.links.viewer.topicKey, `${fixture.links.viewer.secret} `, null]) {
      expect(await code(wrong)).toBe('WF009');
    }
    expect(await code(soon.secret)).toBe('ok');
    await sql.rows(`update public.share_links set expires_at = now() where id = $1`, [soon.id]);
    expect(await code(soon.secret)).toBe('WF009');

    expect(await code(fixture.links.viewer.secret)).toBe('ok');
    await sql.call(owner, 'revoke_share_link', { link: fixture.links.viewer.id });
    expect(await code(fixture.links.viewer.secret)).toBe('WF009');

    expect(await code(fixture.links.editor.secret)).toBe('ok');
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
    expect(await code(fixture.links.editor.secret)).toBe('WF009');
  }),
);

test(
  'a project without send_binary publishes the same bytes as base64 in JSON',
  withWorkspace(async (sql, fixture) => {
    await watch(sql, fixture.links.viewer.secret);
    await sql.rows('drop function realtime.send_binary(bytea, text, text, boolean)');
    const sent = await sql.sentDuring(() => edit(sql, fixture, 2, 300, 1));
    expect(sent.map((message) => [message.event, message.bytes])).toEqual(Array(3).fill(['rows', null]));
    for (const message of sent) {
      const text: unknown = Reflect.get(Object(message.json), 'b');
      const decoded = decodeRows(Buffer.from(String(text), 'base64'));
      expect(decoded).toMatchObject({ ok: true, value: { kind: 'rows', rows: [{ seq: 3 }] } });
    }
  }),
);

test(
  'a message that cannot be sent does not fail the write',
  withWorkspace(async (sql, fixture) => {
    await watch(sql, fixture.links.viewer.secret);
    for (const name of ['send_binary(payload bytea', 'send(payload jsonb']) {
      await sql.rows(
        `create or replace function realtime.${name}, event text, topic text, private boolean default true)
         returns void language plpgsql as $$ begin raise exception 'realtime is down'; end $$`,
      );
    }
    const sent = await sql.sentDuring(async () => {
      expect(await edit(sql, fixture, 2, 1, 1)).toMatchObject({ seq: 3, lastN: 2 });
      await sql.call(fixture.people.editor, 'save_text', { document: fixture.page, seq: 3, title: 'T', body_text: '' });
      await sql.call(fixture.people.owner, 'set_document_member', {
        document: fixture.page,
        person: fixture.people.editor.id,
        role: null,
      });
    });
    expect(sent).toEqual([]);
  }),
);

test(
  'with a hundred watchers on the free plan rows go out every 2.7 s, which is three quarters of what a page may cause',
  withWorkspace(async (sql, fixture) => {
    await setMessagesPerSecond(sql, 100);
    await watch(sql, fixture.links.viewer.secret);
    await watchedBy(sql, fixture, 100);
    expect(await edit(sql, fixture, 2)).toMatchObject({ unpublished: false, publishIn: 0 });

    await later(sql, 2.5);
    const early = await sql.sentDuring(async () => {
      const answer = await edit(sql, fixture, 3);
      expect(answer.unpublished).toBe(true);
      expect(answer.publishIn).toBeGreaterThan(1);
      expect(answer.publishIn).toBeLessThan(200);
      const pending = await publishPending(sql, fixture);
      expect(pending.publishedSeq).toBe(3);
      expect(pending.publishIn).toBeGreaterThan(1);
    });
    expect(early).toEqual([]);
    await later(sql, 0.2);
    const due = await sql.sentDuring(async () =>
      expect(await publishPending(sql, fixture)).toEqual({ publishedSeq: 4, publishIn: 0 }),
    );
    expect(published(due).map(([, , seqs]) => seqs)).toEqual([[4], [4]]);

    // On the next plan a message a second fits again.
    await setMessagesPerSecond(sql, 500);
    await later(sql, 2.7);
    expect((await edit(sql, fixture, 4)).unpublished).toBe(false);
    await aSecondLater(sql);
    expect((await edit(sql, fixture, 5)).unpublished).toBe(false);
  }),
);

test(
  'the pause is the one that the app computes, for every plan, number of watchers and of busy pages, and with a presenter',
  withWorkspace(async (sql, fixture) => {
    const { editor, owner } = fixture.people;
    const interval = async (isPresenting: boolean) =>
      (
        await sql.row<{ ms: number }>(
          `select extract(epoch from weft.watch_interval($1, '1 second', $2))::double precision * 1000 as ms`,
          [fixture.page, isPresenting],
        )
      ).ms;
    let watchers = 0;
    for (const more of [0, 9, 90, 900]) {
      await watchedBy(sql, fixture, more);
      watchers += more;
      for (const messages of [100, 500, 2_500]) {
        await setMessagesPerSecond(sql, messages);
        for (const isPresenting of [false, true])
          expect(await interval(isPresenting)).toBeCloseTo(
            watchInterval(pageBudget(messages)(1), watchers, isPresenting),
            2,
          );
      }
    }
    const announce = (by: typeof editor, document: string) =>
      sql.ask(by, announcement, 'announce_session', { document, session: randomUUID(), is_writing: true });
    await announce(editor, fixture.page);
    await announce(owner, fixture.subpage);
    expect(await interval(false)).toBeCloseTo(watchInterval(pageBudget(2_500)(2), watchers), 2);
    await sql.rows(`update weft.watchers set seen_at = seen_at - interval '2 minutes'`);
    expect(await interval(false)).toBe(1_000);
  }),
);

test(
  'a page that is published to watchers takes its part of the project’s messages, although its author is alone there',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const busyPages = async () =>
      (
        await sql.ask(owner, announcement, 'announce_session', {
          document: fixture.subpage,
          session: randomUUID(),
          is_writing: true,
        })
      ).busyPages;
    expect(await busyPages()).toBe(1);
    await edit(sql, fixture, 2);
    expect(await busyPages()).toBe(1);
    await watch(sql, fixture.links.viewer.secret);
    await edit(sql, fixture, 3);
    expect(await busyPages()).toBe(2);
    await sql.rows(`update weft.watch_paces set published_at = published_at - interval '16 seconds'`);
    expect(await busyPages()).toBe(1);
  }),
);

test(
  'a pause lasts a minute at most, and what it is made from is forgotten with the page or after five minutes',
  withWorkspace(async (sql, fixture) => {
    await watch(sql, fixture.links.viewer.secret);
    await edit(sql, fixture, 2);
    await sql.rows(`update weft.watch_paces set pause = '1 hour'`);
    expect((await edit(sql, fixture, 3)).publishIn).toBeLessThanOrEqual(60_000);
    expect((await edit(sql, fixture, 4)).publishIn).toBeGreaterThan(55_000);
    await later(sql, 60);
    expect((await edit(sql, fixture, 5)).unpublished).toBe(false);

    await sql.rows(
      'update weft.watch_paces set document_id = $1, published_at = published_at - interval $$6 minutes$$',
      [fixture.subpage],
    );
    await aSecondLater(sql);
    await edit(sql, fixture, 6);
    expect(await sql.rows('select document_id from weft.watch_paces')).toEqual([{ document_id: fixture.page }]);
  }),
);
