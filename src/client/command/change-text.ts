// A change in words, for people at a terminal.
import { counted } from '../../lib/text/counted.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { printableLine } from '../../lib/text/printable-text.ts';
import type { BlockChange, PageChange } from '../page-change.ts';

/** Longer texts are cut, with the number of characters that are left out. */
const MAX_SHOWN = 120;

/** A line for the title and for each changed block, or one that says why there is none. Each names time and number. */
export function changeText(change: PageChange): string {
  const head = `${timeOf(change.at)} #${change.seq}`;
  const lines = [
    ...(change.titleChange === null ? [] : [`The title is now ${quoted(change.title)}`]),
    ...change.blocks.map(blockText),
    ...(change.more === 0 ? [] : [`${counted(change.more, 'more block')} changed`]),
    ...(change.isDamaged ? ['This change is damaged and was skipped'] : []),
  ];
  const shown = lines.length === 0 ? ['Nothing visible changed'] : lines;
  return shown.map((line) => `${head}  ${line}\n`).join('');
}

function blockText({ kind, type, text, removed, inserted }: BlockChange): string {
  const name = NAMES[type] ?? 'a block';
  const where = text === '' ? name : `${name}, ${quoted(text)}`;
  switch (kind) {
    case 'added':
      return inserted === '' ? `Added ${name}` : `Added ${name}: ${quoted(inserted)}`;
    case 'removed':
      return removed === '' ? `Removed ${name}` : `Removed ${name}: ${quoted(removed)}`;
    case 'moved':
      return `Moved ${where}${editText(removed, inserted)}`;
    case 'changed':
      return `Changed ${where}${editText(removed, inserted) || ': its look or its settings'}`;
  }
}

function editText(removed: string, inserted: string): string {
  if (removed === '' && inserted === '') return '';
  if (removed === '') return `: added ${quoted(inserted)}`;
  if (inserted === '') return `: removed ${quoted(removed)}`;
  return `: ${quoted(removed)} became ${quoted(inserted)}`;
}

const NAMES: Readonly<Record<string, string>> = {
  paragraph: 'a paragraph',
  heading: 'a heading',
  bullet: 'a list item',
  numbered: 'a numbered item',
  task: 'a task',
  quote: 'a quote',
  callout: 'a callout',
  code: 'a code block',
  toggle: 'a toggle',
  divider: 'a divider',
  image: 'a picture',
  file: 'a file',
  table: 'a table',
  math: 'a formula',
  embed: 'a card',
};

function quoted(text: string): string {
  const line = printableLine(text);
  const shown = cutText(line, MAX_SHOWN);
  const rest = line.length - shown.length;
  return rest > 0 ? `“${shown}…” (${rest} more characters)` : `“${line}”`;
}

/** In the time zone of the person who reads it. */
function timeOf(at: string | null): string {
  if (at === null) return '(time unknown)';
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
