// Full-text search: what is found in each language, in which order, with which marks, and for whom.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type SearchAnswer, searchAnswer } from '../../../src/protocol/search-answers.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { timesAsLong } from '../../support/times-as-long.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const searcher =
  (sql: Sql, { workspace, people }: WorkspaceFixture) =>
  (query: string, args: Record<string, unknown> = {}, by: Caller = people.owner): Promise<SearchAnswer> =>
    sql.ask(by, searchAnswer, 'search_documents', { workspace, query, ...args });

/** Makes pages below `parent`, or at the top, with these titles and texts; the later ones are newer. */
async function pages(
  sql: Sql,
  { workspace, people }: WorkspaceFixture,
  texts: readonly (readonly [title: string, text: string])[],
  parent: string | null = null,
): Promise<string[]> {
  const ids = [];
  for (const [at, [title, text]] of texts.entries()) {
    const id = randomUUID();
    await sql.rows(
      `insert into public.documents (id, workspace_id, parent_id, title, body_text, rank, access, created_by, updated_by, updated_at)
       values ($1, $2, $3, $4, $5, 'a1', $6, $7, $7, timestamptz '2026-01-01' + $8 * interval '1 day')`,
      [id, workspace, parent, title, text, parent === null ? 'workspace' : 'inherit', people.member.id, at],
    );
    ids.push(id);
  }
  return ids;
}

const marked = ({ text, marks }: SearchAnswer['results'][number]['title']) =>
  marks.map(([from, to]) => text.slice(from, to));

test.each([
  // Text, queries that find it, queries that do not.
  [
    'Lifeboats in the harbour',
    ['boat', 'LIFEBOAT', 'harb', 'harbour boats', 'e', 'in'],
    ['boot', 'harbours', 'boat x'],
  ],
  ['Das Rettungsboot in der Straße', ['boot', 'rettung', 'strasse', 'STRASSE', 'straße'], ['boote', 'ruderboot']],
  ['Über Ærø nach Łódź', ['uber', 'über', 'lodz', 'ærø', 'ÆRØ'], ['ueber']],
  ['naïve café, ﬁne', ['naive', 'cafe', 'CAFÉ', 'fine'], ['caffe']],
  ['cafe\u0301 with a combining accent', ['café', 'cafe'], []],
  ['京都の寺で猫を見た。東京の水', ['京都', '寺', '猫を', '東京 猫', '水', '京都の寺'], ['京東', '犬']],
  ['データベースとｶﾒﾗ', ['データ', 'ﾃﾞｰﾀ', 'でーた', 'カメラ', 'かめら', 'ベース'], ['テータ']],
  ['か\u3099く', ['がく', 'ガク'], ['かく']],
  ['قرأت الكِتَابَ في المدينة', ['كتاب', 'الكتاب', 'كِتَاب', 'مدينه', 'مدينة', 'قرات'], ['مكتوب']],
  ['أحمد إلى آخر مسؤول', ['احمد', 'الى', 'اخر', 'مسوول', 'أحمد'], ['محمد']],
  ['صفحة ١٢٣ کتابی', ['123', '١٢٣', 'كتابي'], ['124']],
  ['snake_case-name@example.org (v1.2)', ['snake', 'snake_case', 'case-name', 'example.org', 'v1.2'], ['snakecase']],
  ['Launch 🚀 of 한국어 и Москва', ['🚀', '한국', '국어', 'МОСКВА', 'моск'], ['🚁']],
])('«%s» is found by its words and parts of them', (text, found, missed) =>
  withWorkspace(async (sql, fixture) => {
    await sql.rows('delete from public.documents');
    const [id] = await pages(sql, fixture, [['', text]]);
    const search = searcher(sql, fixture);
    for (const query of found) {
      const { total, isComplete, results } = await search(query);
      expect([query, total, isComplete, results[0]?.document]).toEqual([query, 1, true, id]);
      expect([query, results[0]?.excerpts.length]).toEqual([query, 1]);
    }
    for (const query of missed) expect([query, (await search(query)).total]).toEqual([query, 0]);
  })(),
);

test.each([
  ['the Lifeboats, boat', 'boat', ['boat', 'boat']],
  ['👩‍🚀 🚀 die Straßen', 'strasse', ['Straße']],
  ['aaaa', 'aa', ['aaaa']],
  ['cafe\u0301 CAFÉ', 'café', ['café', 'CAFÉ']],
  ['الكِتَابَ هنا', 'كتاب', ['كِتَابَ']],
  ['ﾃﾞｰﾀ データ', 'でーた', ['ﾃﾞｰﾀ', 'データ']],
  ['one boat two', 'boat two', ['boat', 'two']],
])('in «%s» the marks of «%s» are exactly its characters', (text, query, expected) =>
  withWorkspace(async (sql, fixture) => {
    await pages(sql, fixture, [[text, `before\n${text}`]]);
    const { results } = await searcher(sql, fixture)(query);
    expect(results.map(({ title, excerpts }) => [marked(title), excerpts.map(marked)])).toEqual([
      [expected, [expected]],
    ]);
  })(),
);

test(
  'the excerpts show every word, also one that stands far below the others',
  withWorkspace(async (sql, fixture) => {
    const boats = Array.from({ length: 40 }, (_, n) => `Line ${n} names the boat of the day.`).join('\n');
    await pages(sql, fixture, [['Rota', `${boats}\nThe safety boat leaves at nine.\n${boats}\nKayaks follow.`]]);
    const search = searcher(sql, fixture);
    const texts = async (query: string) => (await search(query)).results[0]?.excerpts.map(({ text }) => text);
    expect(await texts('safety boat')).toEqual([
      'The safety boat leaves at nine.',
      'Line 0 names the boat of the day.',
    ]);
    expect(await texts('kayaks safety boat')).toEqual(['Kayaks follow.', 'The safety boat leaves at nine.']);
    expect(await texts('boat')).toEqual(['Line 0 names the boat of the day.', 'Line 1 names the boat of the day.']);
  }),
);

test(
  'a title comes before a text, the whole query before its words, more matches before fewer, then the newest',
  withWorkspace(async (sql, fixture) => {
    const ids = await pages(sql, fixture, [
      ['Swan lake', 'x'],
      ['The swan lake', 'x'],
      ['Swan lake story', 'x'],
      ['Phrase', 'the swan lake'],
      ['Words twice', 'swan lane lake swan'],
      ['Words', 'lake and swan'],
      ['Words, newer', 'lake and swan'],
    ]);
    const { results } = await searcher(sql, fixture)('swan lake');
    expect(results.map((one) => ids.indexOf(one.document))).toEqual([0, 2, 1, 3, 4, 6, 5]);
  }),
);

test(
  'results are counted and skipped, and filtered by author, time and place',
  withWorkspace(async (sql, fixture) => {
    const { member, editor } = fixture.people;
    const ids = await pages(
      sql,
      fixture,
      Array.from({ length: 7 }, (_, at) => [`${at}`, 'swan']),
    );
    const [below] = await pages(sql, fixture, [['below', 'swan']], ids[0]);
    await sql.rows('update public.documents set updated_by = $2 where id = $1', [ids[3], editor.id]);
    const search = searcher(sql, fixture);
    const found = async (args: Record<string, unknown>) => {
      const { total, results } = await search('swan', args);
      return [total, results.map(({ document }) => (document === below ? 'below' : ids.indexOf(document)))];
    };
    expect(await found({ row_limit: 3 })).toEqual([8, [6, 5, 4]]);
    expect((await search('swan', { row_limit: 3, skip: 6 })).results.map((one) => one.document).toSorted()).toEqual(
      [ids[0], below].toSorted(),
    );
    expect(await found({ row_limit: 0 })).toEqual([8, []]);
    expect(await found({ row_limit: -5, skip: -5 })).toEqual([8, []]);
    expect(await found({ author: editor.id })).toEqual([1, [3]]);
    expect(await found({ author: member.id, since: '2026-01-06', until: '2026-01-07' })).toEqual([1, [5]]);
    expect(await found({ below: ids[0] })).toEqual([1, ['below']]);
    expect(await found({ below: ids[1] })).toEqual([0, []]);
    expect(
      (
        await sql.refusal(fixture.people.owner, 'search_documents', {
          workspace: fixture.workspace,
          query: 'swan',
          below: randomUUID(),
        })
      ).code,
    ).toBe('WF001');
  }),
);

test(
  'no one finds a page that they may not read, and a page in the trash is not found; new text is found at once',
  withWorkspace(async (sql, fixture) => {
    const { member, owner, editor, viewer, workspaceGuest, redeemedCommenter } = fixture.people;
    const search = searcher(sql, fixture);
    await sql.call(editor, 'save_text', { document: fixture.page, seq: 2, title: 'Swan', body_text: 'Cygnet' });
    await sql.rows(`update public.documents set body_text = 'Cygnet' where id in ($1, $2)`, [
      fixture.secretPage,
      fixture.subpage,
    ]);
    const count = async (by: Caller) => (await search('cygnet', {}, by)).total;
    expect([await count(owner), await count(member), await count(viewer)]).toEqual([3, 2, 2]);
    // A link shows one page.
    expect([await count(redeemedCommenter), await count(workspaceGuest)]).toEqual([1, 0]);
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.subpage]);
    expect([await count(owner), await count(member)]).toEqual([2, 1]);
    await sql.call(editor, 'save_text', { document: fixture.page, seq: 2, title: 'Swan', body_text: 'Duckling' });
    expect([await count(member), (await search('duck', {}, member)).total]).toEqual([0, 1]);
    await sql.rows('delete from public.documents where id = $1', [fixture.page]);
    expect((await search('duck')).total).toBe(0);
  }),
);

test(
  'excerpts are short, cut between words or characters, and show where the words are, in long lines too',
  withWorkspace(async (sql, fixture) => {
    const line = (words: string) => `${'lorem ipsum '.repeat(700)}${words} ${'dolor sit '.repeat(700)}`;
    const japanese = `${'京都の寺。'.repeat(2_000)}猫${'東京の山。'.repeat(500)}`;
    await pages(sql, fixture, [
      ['long', `first line\n${line('the swan')}\n${line('a second swan')}`],
      ['日本', japanese],
      ['Straßen', `${'Straße ß '.repeat(2_000)}Schwan`],
      ['joined', `${'👩‍🚀'.repeat(200)}gull${'👩‍🚀'.repeat(200)}`],
    ]);
    const search = searcher(sql, fixture);
    const [swan] = (await search('swan')).results;
    expect(
      swan?.excerpts.map(({ text }) => text.length <= 162 && /^…(lorem|ipsum) .* (dolor|sit)…$/.test(text)),
    ).toEqual([true, true]);
    for (const query of ['swan', '猫', 'schwan', 'gull']) {
      const { results } = await search(query);
      const excerpts = results.flatMap((one) => one.excerpts);
      expect([query, excerpts.length > 0, excerpts.every((one) => marked(one).length === 1)]).toEqual([
        query,
        true,
        true,
      ]);
      for (const { text } of excerpts) {
        expect(text.isWellFormed()).toBe(true);
        expect(Array.from(text).length).toBeLessThanOrEqual(162);
        // A joined emoji is not cut.
        expect(text).not.toMatch(/^…\u200d|\u200d…$/);
      }
    }
  }),
);

test.each([
  ['10 kB', 'swan '.repeat(2_000), 1],
  ['10 kB of one word', 'x'.repeat(10_000), 0],
  [
    '10 kB of different characters',
    Array.from({ length: 10_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(''),
    0,
  ],
  ['operators', "swan & ! | :* <-> ( \\ '", 1],
  ['quotes', `"swan" 'swan' \\'swan`, 1],
  ['regex signs', '.* [a-z]+ ^$ (?:', 0],
  ['wildcards', '%_%', 0],
  ['punctuation alone', '… ¿? --- 。', 0],
  ['white space', ' \n\t\u3000\u00a0 ', 0],
  ['nothing', '', 0],
  ['combining marks alone', '\u0301\u0302\u064b\u0640', 0],
  ['the workspace’s own term', '@00000000', 0],
  ['a right-to-left override', '\u202eswan', 1],
])('a hostile query costs little more than an ordinary one: %s', (_, query, total) =>
  withWorkspace(async (sql, fixture) => {
    await pages(sql, fixture, [['', `swan ${'the quick brown fox '.repeat(2_000)}`]]);
    const search = searcher(sql, fixture);
    expect((await search(query)).total).toBe(total);
    const times = await timesAsLong(
      () => search(query),
      () => search('swan'),
    );
    expect(times).toBeLessThan(30);
  })(),
);

test(
  'a page is found by the first 200,000 characters of its text, and stored whole if it is longer',
  withWorkspace(async (sql, fixture) => {
    // The words differ, so each takes room of its own in the index.
    const long = Array.from({ length: 60_000 }, (_, at) => `wort${at.toString(36)}ß`).join(' ');
    expect(long.length).toBeGreaterThan(400_000);
    const { editor } = fixture.people;
    await sql.call(editor, 'save_text', { document: fixture.page, seq: 2, title: 'Almanac', body_text: long });
    const search = searcher(sql, fixture);
    expect((await search('almanac wort1ß')).total).toBe(1);
    expect((await search(`wort${(59_999).toString(36)}ß`)).total).toBe(0);
    expect(
      await sql.row('select char_length(body_text) as length from public.documents where id = $1', [fixture.page]),
    ).toEqual({ length: long.length });
  }),
);

test(
  'a text of which 200,000 characters do not fit into the index is stored whole and found by its beginning',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    // Nearly every gram is another: more than fits, which Postgres refuses with 54000.
    const rare = (n: number) => String.fromCodePoint(0x20000 + ((n * 7_919) % 40_000));
    const odd = Array.from({ length: 200_000 }, (_, at) => rare(at + Math.floor(at / 40_000))).join('');
    await sql.call(editor, 'save_text', { document: fixture.page, seq: 2, title: 'T', body_text: `early ${odd}` });
    const search = searcher(sql, fixture);
    expect((await search(`early ${Array.from(odd).slice(40, 45).join('')}`)).total).toBe(1);
    // The service key writes to the table directly, and may do so too.
    const update = 'update public.documents set body_text = body_text || $2 where id = $1';
    expect(await sql.outcome(() => sql.as('service', update, [fixture.page, ' more']))).toBe('ok');
  }),
);

test(
  'with the newest first the page that changed last comes first, wherever the words stand, on every part of the list',
  withWorkspace(async (sql, fixture) => {
    const [title, text, newest] = await pages(sql, fixture, [
      ['boat', ''],
      ['Plan', 'the boat and the boat'],
      ['Minutes', 'a boat'],
    ]);
    const search = searcher(sql, fixture);
    const order = async (args: Record<string, unknown>) =>
      (await search('boat', args)).results.map((one) => one.document);
    expect(await order({})).toEqual([title, text, newest]);
    expect(await order({ newest_first: true })).toEqual([newest, text, title]);
    expect(await order({ newest_first: true, row_limit: 1, skip: 1 })).toEqual([text]);
    expect(await order({ newest_first: null })).toEqual([title, text, newest]);
  }),
);
