// Writes docs/api.md from supabase/schemas: the tables, and the functions that apps may call, with their comments.
// `npm run fix` runs it; tests/scripts/api-docs.test.ts fails if the document is not what it writes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SchemaFunction, type SchemaSubject, type SchemaTable, readSchema } from './read-schema.ts';
import { ROOT } from './root.mjs';

export const API_DOCS = join(ROOT, 'docs/api.md');

const HEAD = `# Tables and functions

Written by \`scripts/api-docs.ts\` from [supabase/schemas](../supabase/schemas), where the rest is: do not edit it here.
[SPECIFICATION.md](../SPECIFICATION.md) has what functions answer ("Exact shapes") and who has which role. Apps read
five tables as far as row level security lets them (documents, profiles, share_links, workspace_members, workspaces), and do
everything else through functions. All other tables are for functions.
`;

const COLUMN = /((?:^ {2}--.*\n)*)^ {2}(\w+) ([^\n]+?),?$/gm;

const CALLERS: Readonly<Record<string, string>> = {
  authenticated: 'Signed in.',
  'anon, authenticated': 'Also without an account.',
  service_role: 'The service key alone.',
};

export function apiDocs(): string {
  const subjects = readSchema().map(subjectText);
  return [HEAD, ...subjects.filter((one) => one !== '')].join('\n');
}

function subjectText({ file, tables, functions }: SchemaSubject): string {
  const parts = [...tables.map(tableText), ...functions.map(functionText)].filter((one) => one !== '');
  if (parts.length === 0) return '';
  const title = file.replace(/^\d+_|\.sql$/g, '').replaceAll('_', ' ');
  return [`## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n`, ...parts].join('\n');
}

const tableText = ({ name, isUnlogged, columns, comment }: SchemaTable): string =>
  [
    `### \`${name.replace('public.', '')}\`${isUnlogged ? ' (unlogged)' : ''}\n`,
    ...paragraphs(textOf(comment)),
    `${columnsOf(columns)}\n`,
  ].join('\n');

function functionText({ name, args, comment, callers }: SchemaFunction): string {
  if (callers === null) return '';
  const shown = args.map((one) => one.replace(' default ', ' = ')).join(', ');
  const text = `${CALLERS[callers] ?? callers} ${textOf(comment)}`.trim();
  return [`### \`${name}(${shown})\`\n`, ...paragraphs(text)].join('\n');
}

/** Without the headings of sections. */
const textOf = (comment: string): string =>
  comment
    .split('\n')
    .filter((line) => !line.startsWith('-- ---'))
    .map((line) => line.trim().replace(/^-- ?/, ''))
    .join('\n')
    .trim();

const paragraphs = (text: string): readonly string[] => (text === '' ? [] : [`${escaped(text)}\n`]);

/** Markdown would read these signs. An indented line of a comment becomes a paragraph of its own. */
const escaped = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(/[_*<>[\]]/g, String.raw`\$&`)))
    .join('')
    .replaceAll(/^ {2}(?=\S)/gm, '\n');

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
