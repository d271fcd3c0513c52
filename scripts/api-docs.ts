// Writes docs/api.md from supabase/schemas: the tables, and the functions that apps may call, with their comments.
// `npm run fix` runs it; tests/scripts/api-docs.test.ts fails if the document is not what it writes.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const SCHEMAS = join(ROOT, 'supabase/schemas');
export const API_DOCS = join(ROOT, 'docs/api.md');

const HEAD = `# Tables and functions

Written by \`scripts/api-docs.ts\` from [supabase/schemas](../supabase/schemas), where the rest is: do not edit it here.
[SPECIFICATION.md](../SPECIFICATION.md) has what functions answer ("Exact shapes") and who has which role. Apps read tables of
\`public\` as far as row level security lets them, and write through functions alone. Tables of \`weft\` are for functions.
`;

const COMMENT = String.raw`((?:^--.*\n)*)`;
const TABLE = new RegExp(`${COMMENT}^create (unlogged )?table ([\\w.]+) \\(\\n([\\s\\S]*?)^\\)`, 'gm');
const FUNCTION = new RegExp(`${COMMENT}^create function public\\.(\\w+)\\(([^)]*)\\)\\s+returns `, 'gm');
const GRANT = /^grant execute on function\n([\s\S]*?)\nto ([\w, ]+);/gm;
const COLUMN = /((?:^ {2}--.*\n)*)^ {2}(\w+) ([^\n]+?),?$/gm;

const CALLERS: Readonly<Record<string, string>> = {
  authenticated: 'Signed in.',
  'anon, authenticated': 'Also without an account.',
  service_role: 'The service key alone.',
};

export function apiDocs(): string {
  const subjects = readdirSync(SCHEMAS).toSorted().map(subject);
  return [HEAD, ...subjects.filter((one) => one !== '')].join('\n');
}

function subject(file: string): string {
  const sql = readFileSync(join(SCHEMAS, file), 'utf8');
  const callers = new Map<string, string>();
  for (const [, names = '', roles = ''] of sql.matchAll(GRANT)) {
    for (const name of names.split(',')) callers.set(name.trim(), CALLERS[roles] ?? roles);
  }
  const tables = Array.from(sql.matchAll(TABLE), ([, comment = '', unlogged, name = '', columns = '']) =>
    [
      `### \`${name.replace('public.', '')}\`${unlogged === undefined ? '' : ' (unlogged)'}\n`,
      ...paragraphs(textOf(comment)),
      `${columnsOf(columns)}\n`,
    ].join('\n'),
  );
  const functions = Array.from(sql.matchAll(FUNCTION), ([, comment = '', name = '', args = '']) => {
    const caller = callers.get(`public.${name}`);
    if (caller === undefined) return '';
    return [`### \`${name}(${argumentsOf(args)})\`\n`, ...paragraphs(`${caller} ${textOf(comment)}`.trim())].join('\n');
  });
  const parts = [...tables, ...functions.filter((one) => one !== '')];
  if (parts.length === 0) return '';
  const title = file.replace(/^\d+_|\.sql$/g, '').replaceAll('_', ' ');
  return [`## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n`, ...parts].join('\n');
}

/**
 * Without the headings of sections. (`COMMENT` leaves out what stands above an empty line: that is about more than one object.)
 */
const textOf = (comment: string): string =>
  comment
    .split('\n')
    .filter((line) => !line.startsWith('-- ---'))
    .map((line) => line.trim().replace(/^-- ?/, ''))
    .join('\n')
    .trim();

const paragraphs = (text: string): readonly string[] => (text === '' ? [] : [`${escaped(text)}\n`]);

/** Markdown would read these signs. */
const escaped = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(/[_*<>[\]]/g, String.raw`\$&`)))
    .join('')
    .replaceAll(/^ {2}(?=\S)/gm, '\n');

const argumentsOf = (args: string): string =>
  args
    .split(',')
    .map((one) => one.trim().replace(' default ', ' = '))
    .join(', ');

function columnsOf(sql: string): string {
  const lines = Array.from(sql.matchAll(COLUMN), ([, comment = '', name = '', definition = '']) => {
    if (/^(?:constraint|primary|unique|check)$/.test(name)) return '';
    const type = definition.replace(
      / (?:not null|default|references|primary key|unique|check|storage|collate) ?.*/,
      '',
    );
    const isNullable = !/not null|primary key/.test(definition);
    const text = textOf(comment).replaceAll('\n', ' ');
    return `- \`${name}\` ${type}${isNullable ? ' or null' : ''}${text === '' ? '' : `: ${escaped(text)}`}`;
  });
  return lines.filter((line) => line !== '').join('\n');
}

if (import.meta.main) writeFileSync(API_DOCS, apiDocs());
