// Presenting and watching a page: the messages, names, counts and refusals of the database.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { openAnswer, rowsAnswer, watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import { PRESENTER_GONE_MS, decodePresenting, presentAnswer } from 'weft-sync/protocol/presenting.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import { createdLink } from '../../../src/protocol/answers.ts';
import { type Caller, type Message, type Person, Refused, type Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const TOP = { block: 'top', offset: 0 };
const END = { block: 'end', offset: 7 };

type Call = {
  readonly session?: string;
  readonly place?: unknown;
  readonly starts?: boolean;
  readonly live_peers?: number | null;
};
const present = (sql: Sql, fixture: WorkspaceFixture, by: Caller, call: Call = {}) =>
  sql.ask(by, presentAnswer, 'present', {
    document: fixture.page,
    session: fixture.editorSession,
    place: TOP,
    starts: true,
    ...call,
  });
const stop = (sql: Sql, fixture: WorkspaceFixture, by: Caller, session = fixture.editorSession) =>
  present(sql, fixture, by, { session, place: null, starts: false });
const rows = (sql: Sql, fixture: WorkspaceFixture, by: Caller, watching: Record<string, unknown> = {}) =>
  sql.ask(by, rowsAnswer, 'rows_since', { document: fixture.page, seq: 9, row_limit: 1, ...watching });
const keepWatching = (sql: Sql, fixture: WorkspaceFixture, by: Caller, watching: Record<string, unknown> = {}) =>
  sql.ask(by, rowsAnswer, 'keep_watching', { document: fixture.page, seq: 9, ...watching });
const watch = (sql: Sql, secret: string, watching: Record<string, unknown> = {}) =>
  sql.ask('anon', watchAnswer, 'open_watch', { secret, since: 9, ...watching });
const MINUTE_MS = 60_000;
/** Acts as if this many milliseconds had passed since the presenter's last call. */
const later = (sql: Sql, ms: number) =>
  sql.rows(
    `update weft.presenters set at = at - $1, since = since - make_interval(secs => $1 / 1000.0),
      published_at = published_at - make_interval(secs => $1 / 1000.0)`,
    [ms],
  );
const watchersLater = (sql: Sql, seconds: number) =>
  sql.rows('update weft.watchers set seen_at = seen_at - make_interval(secs => $1)', [seconds]);

const said = (messages: readonly Message[]) =>
  messages
    .filter(({ event }) => event === EVENTS.presenting)
    .map(({ topic, bytes }) => [topic, decodePresenting(bytes ?? new Uint8Array())] as const);

const refusal = async (run: () => Promise<unknown>) => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
};

/** Another link to watch the fixture's page. */
const secondLink = async (sql: Sql, fixture: WorkspaceFixture) =>
  v.parse(
    createdLink,
    await sql.call(fixture.people.owner, 'create_share_link', {
      document: fixture.page,
      role: 'viewer',
      expires_at: null,
    }),
  );

test(
  'the presenter is named on the live and the view topic, and on watch topics no one is',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const { viewer, commenter } = fixture.links;
    await watch(sql, viewer.secret);
    await keepWatching(sql, fixture, fixture.people.viewer);
    const messages = said(await sql.sentDuring(() => present(sql, fixture, editor)));
    const named = { place: TOP, session: fixture.editorSession, user: editor.id, at: expect.any(Number) };
    expect(messages).toEqual([
      [`d:${fixture.page}:1.1`, named],
      [`v:${fixture.page}:1.1`, named],
      [`w:${viewer.topicKey}`, { place: TOP, at: expect.any(Number) }],
    ]);
    expect(messages.some(([topic]) => topic.includes(commenter.topicKey))).toBe(false);
    const text = Buffer.from((await sql.sent()).at(-1)?.bytes ?? []).toString();
    for (const secret of [editor.id, fixture.editorSession, fixture.workspace]) expect(text).not.toContain(secret);
  }),
);

test(
  'without watchers only the live topic gets a message, and none when no one else is there',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const topics = async (call: Call) => {
      await later(sql, 1_000);
      return said(await sql.sentDuring(() => present(sql, fixture, editor, call))).map(([topic]) => topic.slice(0, 1));
    };
    expect(await topics({})).toEqual(['d']);
    expect(await topics({ live_peers: 3 })).toEqual(['d']);
    expect(await topics({ live_peers: 0 })).toEqual([]);
    await watch(sql, fixture.links.viewer.secret);
    expect(await topics({ live_peers: 0 })).toEqual(['v', 'w']);
  }),
);

test(
  'answers name the presenter to those who come later, and by link only that there is one',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer } = fixture.people;
    const open = () => sql.ask(viewer, openAnswer, 'open_document', { document: fixture.page, since: 0 });
    expect([(await open()).presenting, (await rows(sql, fixture, viewer)).presenting]).toEqual([null, null]);
    const { at } = await present(sql, fixture, editor);
    await later(sql, 3_000);
    const named = { at: at - 3_000, place: TOP, session: fixture.editorSession, user: editor.id };
    const answers = [await open(), await rows(sql, fixture, viewer), await keepWatching(sql, fixture, viewer)];
    for (const { presenting } of answers) {
      expect(presenting).toEqual({ ...named, age: expect.any(Number) });
      expect(presenting?.age).toBeGreaterThanOrEqual(3_000);
      expect(presenting?.age).toBeLessThan(10_000);
    }
    const byLink = await sql.call('anon', 'open_watch', { secret: fixture.links.viewer.secret, since: 9 });
    expect((byLink as { presenting: unknown }).presenting).toEqual({
      at: at - 3_000,
      age: expect.any(Number),
      place: TOP,
    });
    // For a while answers also report the end, for clients that missed the message.
    await stop(sql, fixture, editor);
    expect((await rows(sql, fixture, viewer)).presenting).toMatchObject({ place: null });
    await later(sql, PRESENTER_GONE_MS);
    expect((await rows(sql, fixture, viewer)).presenting).toBeNull();
  }),
);

test(
  // The minute is one in which the pause does not end, however slow the machine is.
  'messages go out at most twice a second, and the answer says which place waits; the end goes out at once',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const sent = async (call: () => Promise<unknown>) => said(await sql.sentDuring(call)).length;
    const again = (call: Call = {}) => present(sql, fixture, editor, { starts: false, ...call });
    expect((await present(sql, fixture, editor)).published).toBe(true);
    // Into the future: on a slow machine half a second would pass meanwhile.
    await later(sql, -MINUTE_MS);
    expect(await sent(() => again({ place: END }))).toBe(0);
    expect((await again({ place: END })).published).toBe(false);
    await later(sql, MINUTE_MS + 600);
    expect(await sent(() => again({ place: END }))).toBe(1);
    const stoppedAt = Date.now();
    expect(await sent(() => stop(sql, fixture, editor))).toBe(1);
    // Beginning and stopping all the time sends no more messages.
    const all = await sent(async () => {
      for (let n = 0; n < 20; n += 1) {
        await present(sql, fixture, editor);
        await stop(sql, fixture, editor);
      }
    });
    // None while half a second has not passed; on a slow machine one pair in each.
    expect(all).toBeLessThanOrEqual(2 * Math.floor((Date.now() - stoppedAt) / 500));
    await later(sql, 600);
    const twice = async () => {
      await present(sql, fixture, editor);
      await stop(sql, fixture, editor);
    };
    expect(await sent(twice)).toBe(2);
  }),
);

test(
  '`at` grows with every change, no matter who presents and how the clock goes',
  withWorkspace(async (sql, fixture) => {
    const { editor, manager } = fixture.people;
    const ats = [(await present(sql, fixture, editor)).at];
    for (let n = 0; n < 5; n += 1) ats.push((await present(sql, fixture, editor, { starts: false })).at);
    ats.push((await stop(sql, fixture, editor)).at);
    ats.push((await present(sql, fixture, manager, { session: randomUUID() })).at);
    expect(ats).toEqual([...new Set(ats)].toSorted((a, b) => a - b));
  }),
);

test(
  'one session presents: others are refused and learn who does, until 20 s have passed without a call',
  withWorkspace(async (sql, fixture) => {
    const { editor, manager } = fixture.people;
    const session = randomUUID();
    await present(sql, fixture, editor);
    const refused = { code: 'WF015', detail: editor.id };
    expect(await refusal(() => present(sql, fixture, manager, { session }))).toMatchObject(refused);
    // No one else can stop it, and someone else's session with that id does not count.
    await stop(sql, fixture, manager, session);
    expect(await sql.outcome(() => stop(sql, fixture, manager))).toBe('WF005');
    expect((await rows(sql, fixture, manager)).presenting?.place).toEqual(TOP);
    await later(sql, PRESENTER_GONE_MS - 1_000);
    expect(await refusal(() => present(sql, fixture, manager, { session }))).toMatchObject(refused);
    await later(sql, 1_000);
    await present(sql, fixture, manager, { session });
    // The presenter who was away is refused now, and goes on only when the other has stopped.
    const goesOn = () => present(sql, fixture, editor, { starts: false });
    expect(await refusal(goesOn)).toMatchObject({ code: 'WF015', detail: manager.id });
    await stop(sql, fixture, manager, session);
    await goesOn();
    expect((await rows(sql, fixture, manager)).presenting?.user).toBe(editor.id);
  }),
);

test(
  'a person takes over from their own other tab only when they begin there',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const session = randomUUID();
    await present(sql, fixture, editor);
    const goesOn = { session, starts: false };
    expect(await sql.outcome(() => present(sql, fixture, editor, goesOn))).toBe('WF015');
    await present(sql, fixture, editor, { session });
    expect(await sql.outcome(() => present(sql, fixture, editor, { starts: false }))).toBe('WF015');
    expect((await rows(sql, fixture, editor)).presenting?.session).toBe(session);
  }),
);

test.each([
  [
    'becomes a viewer',
    (sql: Sql, { page, people }: WorkspaceFixture) =>
      sql.call(people.owner, 'set_document_member', { document: page, person: people.editor.id, role: 'viewer' }),
  ],
  [
    'is removed from the page',
    (sql: Sql, { page, people }: WorkspaceFixture) =>
      sql.call(people.owner, 'set_document_member', { document: page, person: people.editor.id, role: null }),
  ],
  [
    'presents a page that goes to the trash',
    (sql: Sql, { page, people }: WorkspaceFixture) => sql.call(people.owner, 'trash_document', { document: page }),
  ],
] as const)('a presenter who %s presents no longer', (_what, loseIt) =>
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    await watch(sql, fixture.links.viewer.secret);
    const before = await present(sql, fixture, editor);
    const messages = said(await sql.sentDuring(() => loseIt(sql, fixture)));
    const [row] = await sql.rows<{ place: unknown; at: string }>('select place, at from weft.presenters');
    expect([row?.place, Number(row?.at) > before.at]).toEqual([null, true]);
    const toLinks = messages.filter(([topic]) => topic.startsWith('w:'));
    expect(toLinks.map(([, message]) => message?.place)).toEqual([null]);
    expect(await sql.outcome(() => present(sql, fixture, editor, { starts: false }))).toMatch(/^WF00[12]$/);
  })(),
);

test(
  'a member who leaves the workspace presents no longer, and a presenter who stays goes on',
  withWorkspace(async (sql, fixture) => {
    const { member, owner, editor } = fixture.people;
    const place = async () => (await sql.row<{ place: unknown }>('select place from weft.presenters')).place;
    const remove = (person: Person) =>
      sql.call(owner, 'remove_workspace_member', { workspace: fixture.workspace, person: person.id });
    await present(sql, fixture, editor);
    await remove(fixture.people.admin);
    expect(await place()).toEqual(TOP);
    await stop(sql, fixture, editor);
    await present(sql, fixture, member, { session: randomUUID() });
    await remove(member);
    expect(await place()).toBeNull();
  }),
);

test(
  'watchers are counted from the calls that they make anyway: members by name, links as a number',
  withWorkspace(async (sql, fixture) => {
    const { viewer, commenter, editor } = fixture.people;
    const counted = async () => (await rows(sql, fixture, editor)).watchers;
    expect(await counted()).toEqual({ people: [], links: 0 });
    await keepWatching(sql, fixture, viewer, { watcher: randomUUID() });
    await rows(sql, fixture, viewer, { watcher: randomUUID(), stance: 'follows' });
    await rows(sql, fixture, commenter, { watcher: randomUUID(), stance: 'declined' });
    await watch(sql, fixture.links.viewer.secret, { watcher: randomUUID(), stance: 'follows' });
    const other = await secondLink(sql, fixture);
    await watch(sql, other.secret, { watcher: randomUUID(), stance: 'made up' });
    await watch(sql, fixture.links.viewer.secret);
    // A link to comment asks to sign in, and shows nothing of the page before.
    await watch(sql, fixture.links.commenter.secret, { watcher: randomUUID(), stance: 'follows' });
    const people = [viewer.id, commenter.id].toSorted();
    expect(await counted()).toEqual({ people, links: 2 });
    const { followers, watching } = await present(sql, fixture, editor);
    expect(followers).toEqual({ people: [viewer.id], links: 1, declined: [commenter.id] });
    expect(watching).toBe(4);
    await watchersLater(sql, 119);
    expect(await counted()).toEqual({ people, links: 2 });
    await watchersLater(sql, 2);
    expect(await counted()).toEqual({ people: [], links: 0 });
  }),
);

test(
  'an editor is counted only while they follow or decline, and is no reader then either',
  withWorkspace(async (sql, fixture) => {
    const { editor, owner } = fixture.people;
    const watcher = randomUUID();
    await rows(sql, fixture, editor, { watcher, stance: 'none' });
    expect((await rows(sql, fixture, owner)).watchers?.people).toEqual([]);
    await rows(sql, fixture, editor, { watcher, stance: 'follows' });
    const { viewer } = fixture.people;
    await rows(sql, fixture, viewer, { watcher: randomUUID(), stance: 'follows' });
    const { followers, watching } = await present(sql, fixture, editor);
    expect([followers.people, watching]).toEqual([[editor.id, viewer.id].toSorted(), 2]);
    expect((await rows(sql, fixture, owner)).watchers?.people).toEqual([viewer.id]);
    await sql.rows('delete from weft.watchers where user_id = $1', [viewer.id]);
    await rows(sql, fixture, editor, { watcher, stance: 'none' });
    expect((await rows(sql, fixture, owner)).watchers?.people).toEqual([]);
  }),
);

test(
  'a watcher is written down at most once in 50 s, and when the stance changes, at most once a second',
  withWorkspace(async (sql, fixture) => {
    const watcher = randomUUID();
    const { secret } = fixture.links.viewer;
    const written = async (stance: string) => {
      const before = await sql.row('select xmin::text, ctid::text, stance from weft.watchers');
      await watch(sql, secret, { watcher, stance });
      const after = await sql.row('select xmin::text, ctid::text, stance from weft.watchers');
      return before['ctid'] !== after['ctid'];
    };
    await watch(sql, secret, { watcher, stance: 'none' });
    expect(await written('none')).toBe(false);
    await watchersLater(sql, 49);
    expect(await written('none')).toBe(false);
    await watchersLater(sql, 2);
    expect(await written('none')).toBe(true);
    expect(await written('follows')).toBe(false);
    await watchersLater(sql, 1);
    expect(await written('follows')).toBe(true);
  }),
);

test(
  'no one can take someone else’s place among the watchers',
  withWorkspace(async (sql, fixture) => {
    const { viewer, commenter } = fixture.people;
    const watcher = randomUUID();
    await rows(sql, fixture, viewer, { watcher, stance: 'follows' });
    await watchersLater(sql, 60);
    await rows(sql, fixture, commenter, { watcher, stance: 'declined' });
    await watch(sql, fixture.links.viewer.secret, { watcher, stance: 'declined' });
    await rows(sql, fixture, fixture.people.editor, { watcher, stance: 'none' });
    expect(await sql.rows('select user_id, stance from weft.watchers')).toEqual([
      { user_id: viewer.id, stance: 'follows' },
    ]);
  }),
);

test(
  'a person with a link can make up 1,000 watchers of it and no more, those that are gone are deleted, and a person counts 20 times',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.links;
    const other = await secondLink(sql, fixture);
    const fill = (link: string, count: number, seenAgo: number) =>
      sql.rows(
        `insert into weft.watchers (document_id, watcher, link_id, stance, seen_at)
         select $1, gen_random_uuid(), $2, 'none', clock_timestamp() - make_interval(secs => $4)
         from generate_series(1, $3::integer)`,
        [fixture.page, link, count, seenAgo],
      );
    const count = async () => (await sql.row<{ count: number }>('select count(*)::integer from weft.watchers')).count;
    await fill(viewer.id, 1_000, 10);
    await watch(sql, viewer.secret, { watcher: randomUUID() });
    expect(await count()).toBe(1_000);
    // Another link has room of its own, and what is shown is bounded too.
    await watch(sql, other.secret, { watcher: randomUUID() });
    expect(await count()).toBe(1_001);
    expect((await rows(sql, fixture, fixture.people.viewer)).watchers?.links).toBe(1_000);
    await watchersLater(sql, 200);
    await watch(sql, viewer.secret, { watcher: randomUUID() });
    expect(await count()).toBe(952);
    for (let n = 0; n < 25; n += 1) await rows(sql, fixture, fixture.people.viewer, { watcher: randomUUID() });
    const { own } = await sql.row<{ own: number }>(
      'select count(*)::integer as own from weft.watchers where user_id is not null',
    );
    expect(own).toBe(20);
  }),
);

test(
  'a revoked link’s watchers are gone at once, and it counts none any more',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.links;
    const other = await secondLink(sql, fixture);
    for (const { secret } of [viewer, viewer, other]) await watch(sql, secret, { watcher: randomUUID() });
    await sql.call(fixture.people.owner, 'revoke_share_link', { link: viewer.id });
    expect((await rows(sql, fixture, fixture.people.editor)).watchers?.links).toBe(1);
    const refused = () => watch(sql, viewer.secret, { watcher: randomUUID() });
    expect(await sql.outcome(refused)).toBe('WF009');
    expect((await rows(sql, fixture, fixture.people.editor)).watchers?.links).toBe(1);
  }),
);

test(
  'nothing is counted for a caller who may not read the page',
  withWorkspace(async (sql, fixture) => {
    const watcher = randomUUID();
    for (const by of [fixture.people.stranger, fixture.people.workspaceGuest])
      for (const call of [rows, keepWatching])
        expect(await sql.outcome(() => call(sql, fixture, by, { watcher }))).toBe('WF001');
    expect(await sql.rows('select from weft.watchers')).toEqual([]);
  }),
);

test(
  'with many watchers the presenter’s place goes out as often as half of their part of the messages allows',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    await sql.rows('update weft.settings set messages_per_second = 100');
    await sql.rows(
      `insert into weft.watchers (document_id, watcher, link_id, stance, seen_at)
       select $1, gen_random_uuid(), $2, 'none', now() from generate_series(1, 74)`,
      [fixture.page, fixture.links.viewer.id],
    );
    expect((await present(sql, fixture, editor)).published).toBe(true);
    // 1 + 74 messages; three eighths of 50 a second.
    await later(sql, 3_900);
    expect((await present(sql, fixture, editor, { place: END })).published).toBe(false);
    await later(sql, 100);
    expect((await present(sql, fixture, editor, { place: END })).published).toBe(true);
  }),
);
