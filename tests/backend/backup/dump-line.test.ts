import { expect, test } from 'vitest';
import { checkUsersLine, parseDumpLine } from '../../../backend/backup/dump-line.ts';
import { endOfInsert, insertInto, POSTAMBLE, PREAMBLE, guardLine, quoteRow } from '../../../backend/backup/dump.ts';

const TABLE = { schema: 'public', name: 'documents' };
const INTO = 'insert into "public"."documents" ("id", "title") overriding system value values ';

const AWKWARD = [
  '',
  "'",
  "''",
  '\\',
  "\\'",
  "'\\",
  'E',
  'null',
  "a','b'),('c",
  ');',
  '-- no comment',
  '$$',
  '\n\r\\n',
  '\u2028\u2029',
  '\u{1F9F5}',
  '\\x00ff',
  `${"'\\\n".repeat(100)}end`,
];

test('every value that a dump writes is read as it was', () => {
  for (const one of AWKWARD) {
    for (const other of [...AWKWARD, null]) {
      const rows = [
        [one, other],
        [other, one],
        [null, null],
      ];
      const line =
        insertInto(TABLE, ['id', 'title']) + rows.map(quoteRow).join(',') + endOfInsert(TABLE, ['id', 'title']);
      expect(parseDumpLine(line)).toEqual({ table: TABLE, columns: ['id', 'title'], rows });
    }
  }
});

test('a value of 60 MB is read', () => {
  const value = `\\${"0123456789abcde'".repeat(4_000_000)}`;
  const line = insertInto(TABLE, ['id']) + quoteRow([value]) + endOfInsert(TABLE, ['id']);
  expect(parseDumpLine(line)?.rows[0]?.[0] === value).toBe(true);
});

test('the lines without rows are known', () => {
  const buckets = { schema: 'storage', name: 'buckets' };
  expect([...PREAMBLE, ...POSTAMBLE, guardLine([]), guardLine([TABLE, buckets])].map(parseDumpLine)).toEqual(
    Array.from({ length: PREAMBLE.length + POSTAMBLE.length + 2 }, () => null),
  );
  expect(parseDumpLine('delete from "auth"."users";')).toBeNull();
  expect(
    parseDumpLine(
      `select setval('public.documents_id_seq', coalesce((select max("id") from "public"."documents"), 0) + 1, false);`,
    ),
  ).toBeNull();
  const line = insertInto(buckets, ['id', 'name']) + quoteRow(['a', 'b']) + endOfInsert(buckets, ['id', 'name']);
  expect(parseDumpLine(line)).toEqual({ table: buckets, columns: ['id', 'name'], rows: [['a', 'b']] });
});

test.each([
  '',
  '\\! touch x',
  '\\copy public.documents from x',
  `copy (select 1) to program 'touch x';`,
  `COPY "public"."documents" ("id") FROM stdin;`,
  'select 1;',
  `select pg_read_file('/etc/passwd');`,
  'set role supabase_admin;',
  'reset session_replication_role; select 1;',
  'do $$ begin perform 1; end $$;',
  `do $$ begin if exists (select from "public"."documents") then raise exception 'x'; end if; perform 1; end $$;`,
  `do $$ begin if false then raise exception 'x'; end if; end $$; select 1;`,
  'delete from "auth"."users" where true;',
  'delete from "auth"."users"; select 1;',
  `select setval('a', coalesce((select max("id") from "public"."documents"), 0) + 1, false); select 1;`,
  `select setval('a', pg_sleep(1), false);`,
  `${INTO}((select 1),'b');`,
  `${INTO}(default,'b');`,
  `${INTO}(1,'b');`,
  `${INTO}('a'||'b','b');`,
  `${INTO}('a'::text,'b');`,
  `${INTO}(x'00','b');`,
  `${INTO}(U&'a','b');`,
  `${INTO}($$a$$,'b');`,
  `${INTO}(E'\\x41','b');`,
  `${INTO}(E'\\'',upper('b')) --');`,
  `${INTO}(E'a\\','b');`,
  `${INTO}('a','b`,
  `${INTO}('a','b')`,
  `${INTO}('a','b'); select 1;`,
  `${INTO}('a','b') returning pg_sleep(1);`,
  `${INTO}('a','b') on conflict ("id") do update set "title" = upper("title");`,
  `${INTO}('a','b') on conflict ("id") do update set "title" = excluded."title" where true;`,
  `insert into "public"."documents" ("id") values ('a');`,
  `insert into "public"."documents" select 1;`,
  `insert into "pg""x"."documents" ("id") overriding system value values ('a');`,
])('a line that no dump has is refused: %s', (line) => {
  expect(() => parseDumpLine(line)).toThrow(/^(?:it is not a line|its rows|there is something|a value has)/);
});

test('a line of users.sql is a line of its preamble, or rows of plain values', () => {
  for (const line of [...PREAMBLE, ...POSTAMBLE]) expect(() => checkUsersLine(line)).not.toThrow();
  const into = 'insert into auth.users (id, email) values ';
  expect(() => checkUsersLine(`${into}('a', null);`)).not.toThrow();
  expect(() => checkUsersLine(`insert into auth.identities (id, provider) values ('a', E'b\\n');`)).not.toThrow();
  for (const line of [
    '',
    '\\! touch x',
    'select 1;',
    `insert into auth.sessions (id) values ('a');`,
    `${into}('a', now());`,
    `${into}('a', null)`,
    `${into}('a', null); select 1;`,
    `${into}('a', null) on conflict do nothing;`,
  ]) {
    expect(() => checkUsersLine(line)).toThrow(/^(?:it is not a line|its rows|there is something)/);
  }
});
