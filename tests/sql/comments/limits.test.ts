// What a comment may be and how much of it: one that a device could not read would hide all others of the page from it.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type Anchor, anchor, commentBody } from '../../../src/protocol/comments.ts';
import type { Person, Sql } from '../../support/database/sql.ts';
import { ON_PAGE, beginThread, change, onWords, reply, saying } from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

const outcomeOf = (sql: Sql, by: Person, document: string, sent: { anchor?: string; body?: string }) =>
  sql.outcome(() => beginThread(sql, by, document, sent));

const block = (...runs: readonly unknown[]) => [{ kind: 'paragraph', runs }];
const MENTION = randomUUID();

const BODIES: readonly (readonly [outcome: string, title: string, body: unknown])[] = [
  ['ok', 'words', block({ text: 'Aye' })],
  [
    'ok',
    'all looks',
    block({ text: 'Aye', bold: true, italic: true, code: true, link: 'https://a.b', mention: MENTION }),
  ],
  ['ok', 'an empty line', [...block({ text: 'Aye' }), { kind: 'bullet', runs: [] }, { kind: 'numbered', runs: [] }]],
  ['ok', 'HTML and Markdown as words', block({ text: '<img src=x onerror=alert(1)> [a](javascript:1) **b**' })],
  ['ok', 'a dangerous link, which devices do not show', block({ text: 'a', link: 'javascript:alert(1)' })],
  ['ok', '10,000 units', block({ text: '🎉'.repeat(5_000) })],
  ['ok', '10,000 units in several runs', block({ text: 'a'.repeat(5_000) }, { text: 'b'.repeat(5_000) })],
  ['ok', '200 blocks', Array.from({ length: 200 }, () => block({ text: 'a' })[0])],
  ['ok', '2,000 runs', block(...Array.from({ length: 2_000 }, () => ({ text: 'a' })))],
  ['ok', '50 mentions', block(...Array.from({ length: 50 }, () => ({ text: 'a', mention: randomUUID() })))],
  ['WF021', 'more than 10,000 units, that are fewer characters', block({ text: '🎉'.repeat(5_000) + 'a' })],
  ['WF021', 'more than 10,000 units in several runs', block({ text: 'a'.repeat(9_999) }, { text: 'bb' })],
  ['WF021', '201 blocks', Array.from({ length: 201 }, () => block({ text: 'a' })[0])],
  ['WF021', '2,001 runs', block(...Array.from({ length: 2_001 }, () => ({ text: 'a' })))],
  ['WF021', '51 mentions', block(...Array.from({ length: 51 }, () => ({ text: 'a', mention: randomUUID() })))],
  ['WF021', 'more than 64 KiB', block(...Array.from({ length: 40 }, () => ({ text: 'a', link: 'b'.repeat(1_900) })))],
  ['WF005', 'no words', block({ text: ' \n\t ' })],
  ['WF005', 'no runs', block()],
  ['WF005', 'no blocks', []],
  ['WF005', 'null', null],
  ['WF005', 'a text', 'Aye'],
  ['WF005', 'an object', {}],
  ['WF005', 'a number as block', [1]],
  ['WF005', 'a list as block', [[]]],
  ['WF005', 'a block of no kind', [{ runs: [{ text: 'a' }] }]],
  ['WF005', 'a block of another kind', [{ kind: 'heading', runs: [{ text: 'a' }] }]],
  ['WF005', 'a block without runs', [...block({ text: 'a' }), { kind: 'paragraph' }]],
  ['WF005', 'a block with a text as runs', [{ kind: 'paragraph', runs: 'a' }]],
  ['WF005', 'a block with something else', [{ kind: 'paragraph', runs: [{ text: 'a' }], html: '<b>' }]],
  ['WF005', 'a text as run', block('a')],
  ['WF005', 'a run without text', block({ text: 'a' }, { bold: true })],
  ['WF005', 'a number as text', block({ text: 1 })],
  ['WF005', 'bold as false', block({ text: 'a', bold: false })],
  ['WF005', 'bold as a text', block({ text: 'a', bold: 'true' })],
  ['WF005', 'a run with something else', block({ text: 'a', style: 'x' })],
  ['WF005', 'a number as link', block({ text: 'a', link: 1 })],
  ['WF005', 'a long link', block({ text: 'a', link: 'b'.repeat(2_001) })],
  ['WF005', 'a name as mention', block({ text: 'a', mention: 'ada' })],
  ['WF005', 'an upper-case id as mention', block({ text: 'a', mention: MENTION.replace(/^./, 'A') })],
  ['WF005', 'null as mention', block({ text: 'a', mention: null })],
];

test.each(BODIES)('%s for a body with %s', (outcome, _title, body) =>
  withWorkspace(async (sql, { page, people }) => {
    const stored = await outcomeOf(sql, people.commenter, page, { body: JSON.stringify(body) });
    // What is stored can be read.
    expect([stored, outcome !== 'ok' || v.is(commentBody, body)]).toEqual([outcome, true]);
    const edit = sql.outcome(() =>
      sql.call(people.commenter, 'edit_comment', { comment: randomUUID(), body: JSON.stringify(body) }),
    );
    expect(await edit).toBe('WF001');
  })(),
);

const words = (other: Partial<Record<keyof Extract<Anchor, { kind: 'text' }>, unknown>>) => ({
  ...onWords('x'),
  ...other,
});

const ANCHORS: readonly (readonly [outcome: string, title: string, anchor: unknown])[] = [
  ['ok', 'the page', { kind: 'page' }],
  ['ok', 'words', onWords('light')],
  ['ok', 'words outside of blocks', words({ block: null })],
  ['ok', 'the longest words', words({ quote: '🎉'.repeat(250), before: 'b'.repeat(48), after: 'a'.repeat(48) })],
  ['ok', 'a block', { kind: 'block', block: 'b1', quote: 'swan.png' }],
  ['WF021', 'more than 8 KiB', { kind: 'page', more: 'a'.repeat(8_200) }],
  ['WF005', 'null', null],
  ['WF005', 'a list', []],
  ['WF005', 'nothing', {}],
  ['WF005', 'another kind', { kind: 'table', block: 'b1', quote: '' }],
  ['WF005', 'the page with something else', { kind: 'page', block: 'b1' }],
  ['WF005', 'a block without id', { kind: 'block', quote: '' }],
  ['WF005', 'a block with null as id', { kind: 'block', block: null, quote: '' }],
  ['WF005', 'a long id', { kind: 'block', block: 'b'.repeat(65), quote: '' }],
  ['WF005', 'a long quote', words({ quote: '🎉'.repeat(251) })],
  ['WF005', 'a long text before', words({ before: 'b'.repeat(49) })],
  ['WF005', 'a long position', words({ from: 'A'.repeat(401) })],
  ['WF005', 'a number as position', words({ to: 1 })],
  ['WF005', 'words without a position', { ...onWords('x'), to: undefined }],
  ['WF005', 'words with something else', { ...onWords('x'), script: '' }],
];

test.each(ANCHORS)('%s for an anchor to %s', (outcome, _title, sent) =>
  withWorkspace(async (sql, { page, people, thread }) => {
    const text = JSON.stringify(sent);
    const stored = await outcomeOf(sql, people.commenter, page, { anchor: text });
    expect([stored, outcome !== 'ok' || v.is(anchor, sent)]).toEqual([outcome, true]);
    const move = () => sql.call(people.editor, 'move_thread', { thread, anchor: text, known: ON_PAGE });
    expect(await sql.outcome(move)).toBe(outcome);
  })(),
);

test(
  'a reaction is an emoji of at most 16 characters',
  withWorkspace(async (sql, { people, comment }) => {
    const of = (emoji: string | null) =>
      sql.outcome(() => sql.call(people.editor, 'set_reaction', { comment, emoji, is_set: true }));
    const emoji = ['👍', '❤️', '👩🏽‍🚀', '👨🏻‍👩🏻‍👧🏻‍👦🏻', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '🇮🇸', '☑', '🎉'.repeat(16)];
    for (const one of emoji) expect([one, await of(one)]).toEqual([one, 'ok']);
    const others = [
      '',
      ' ',
      ':)',
      '1',
      'ok',
      '👍 ',
      '👍a',
      '<b>👍',
      'привет',
      '\u202e👍',
      '👍\n',
      '🎉'.repeat(17),
      null,
    ];
    for (const one of others) expect([one, await of(one)]).toEqual([one, 'WF005']);
  }),
);

/** Adds comments by SQL, which counts for no one. */
const addMany = (sql: Sql, thread: string, count: number, text: string) =>
  sql.rows(
    `insert into weft.comments (id, thread_id, body, change)
     select gen_random_uuid(), $1, $3::jsonb, n from generate_series(1, $2::integer) as n`,
    [thread, count, saying(text)],
  );

test(
  'a thread has 1,000 comments, the deleted ones too, and 1 MiB of words',
  withWorkspace(async (sql, { page, people, thread }) => {
    const { editor } = people;
    await addMany(sql, thread, 998, 'Aye');
    await reply(sql, editor, thread);
    expect(await sql.outcome(() => reply(sql, editor, thread))).toBe('WF021');

    const { thread: second, comment } = await beginThread(sql, editor, page);
    await addMany(sql, second, 109, 'a'.repeat(9_400));
    expect(await sql.outcome(() => reply(sql, editor, second))).toBe('ok');
    const long = saying('a'.repeat(9_400));
    await reply(sql, editor, second, long);
    expect([
      await sql.outcome(() => reply(sql, editor, second, long)),
      await sql.outcome(() => change(sql, editor, 'edit_comment', { comment, body: long })),
    ]).toEqual(['WF021', 'WF021']);
  }),
);

test(
  'a page has 2,000 threads, not counting removed ones',
  withWorkspace(async (sql, { page, people, comment }) => {
    const { commenter } = people;
    await sql.rows(
      `insert into weft.comment_threads (id, document_id, anchor, change)
       select gen_random_uuid(), $1, '{"kind": "page"}', n from generate_series(2, 2000) as n`,
      [page],
    );
    await sql.rows('update weft.comment_heads set change = 2000 where document_id = $1', [page]);
    expect(await outcomeOf(sql, commenter, page, {})).toBe('WF021');
    await change(sql, commenter, 'delete_comment', { comment });
    expect(await outcomeOf(sql, commenter, page, {})).toBe('ok');
  }),
);

test(
  'a comment has 50 different emoji and 1,000 reactions',
  withWorkspace(async (sql, { people, comment }) => {
    const { editor, member } = people;
    const react = (emoji: string) =>
      sql.outcome(() => sql.call(editor, 'set_reaction', { comment, emoji, is_set: true }));
    await sql.rows(
      `insert into weft.comment_reactions (comment_id, user_id, emoji)
       select $1, $2, chr(128512 + n) from generate_series(0, 49) as n`,
      [comment, member.id],
    );
    expect([await react('🚀'), await react('😀')]).toEqual(['WF021', 'ok']);
    await sql.rows(
      `insert into weft.comment_reactions (comment_id, user_id, emoji)
       select $1, p.id, chr(128512) from public.profiles as p where p.id not in ($2, $3)`,
      [comment, member.id, editor.id],
    );
    await sql.rows(
      `insert into auth.users (id, email) select id, id || '@example.org' from (select gen_random_uuid() as id from generate_series(1, 1000)) as n`,
    );
    await sql.rows(
      `insert into weft.comment_reactions (comment_id, user_id, emoji)
       select $1, p.id, chr(128512) from public.profiles as p where p.id <> $2 limit 960 on conflict do nothing`,
      [comment, editor.id],
    );
    expect(await react('😀')).toBe('WF021');
  }),
);

test(
  'a person has a pace for all changes of comments; the moves of editors do not count, nor calls that change nothing',
  withWorkspace(async (sql, { page, people, thread, comment }) => {
    const { redeemedEditor: guest, editor, redeemedCommenter } = people;
    const quotas = { comment_changes_per_hour: [3, 4], comment_changes_per_day: [5, 5] };
    await sql.rows('update weft.settings set quotas = $1', [JSON.stringify(quotas)]);
    const react = (by: Person, isSet: boolean) =>
      sql.outcome(() => sql.call(by, 'set_reaction', { comment, emoji: '👍', is_set: isSet }));
    const done = (by: Person, isSet: boolean) => sql.call(by, 'set_reaction', { comment, emoji: '👍', is_set: isSet });
    for (const isSet of [true, false, true]) await done(guest, isSet);
    for (const isSet of [true, false, true, false]) await done(editor, isSet);
    expect([
      await react(guest, false),
      await react(editor, true),
      await react(guest, true),
      await react(editor, false),
    ]).toEqual(['WF008', 'WF008', 'ok', 'ok']);
    expect(await outcomeOf(sql, editor, page, {})).toBe('WF008');
    const move = (by: Person, of: string) =>
      sql.outcome(() =>
        sql.call(by, 'move_thread', { thread: of, anchor: JSON.stringify(onWords('x')), known: ON_PAGE }),
      );
    expect(await move(editor, thread)).toBe('ok');
    const { thread: own } = await beginThread(sql, redeemedCommenter, page);
    for (const isSet of [true, false, true]) await done(redeemedCommenter, isSet);
    expect(await move(redeemedCommenter, own)).toBe('WF008');

    await sql.rows(`update weft.comment_paces set hour = hour - interval '1 hour'`);
    await done(editor, true);
    expect(await react(editor, false)).toBe('WF008');
    await sql.rows(`update weft.comment_paces set day = day - interval '1 day'`);
    await sql.rows(`update weft.comment_paces set hour = hour - interval '1 hour'`);
    expect(await react(editor, false)).toBe('ok');
  }),
);
