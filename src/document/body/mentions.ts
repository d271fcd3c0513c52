// The people whom a page mentions, for the notifications that the database sends with a text copy.
import { type UserId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type * as Y from 'yjs';
import { cutText, startOfCharacter } from '../../lib/text/cut-text.ts';
import { type Run, textOfRuns } from '../blocks/block.ts';
import { parseBody } from './parse-body.ts';

type Mention = { readonly user: UserId; readonly block: string; readonly excerpt: string };

/** The database takes no more. */
const MAX_MENTIONS = 500;
/** In UTF-16 units. */
const MAX_EXCERPT_LENGTH = 200;

/** Each person once in each block. */
export function mentionsIn(doc: Y.Doc): readonly Mention[] {
  const found = new Map<string, Mention>();
  const add = (block: string | null, runs: readonly Run[]) => {
    let at = 0;
    let all: string | null = null;
    for (const { mention, text } of runs) {
      const user = mention === null ? null : parseUserId(mention);
      const key = `${user} ${block}`;
      if (user !== null && block !== null && found.size < MAX_MENTIONS && !found.has(key)) {
        all ??= textOfRuns(runs);
        found.set(key, { user, block, excerpt: excerptAt(all, at) });
      }
      at += text.length;
    }
  };
  for (const block of parseBody(doc)) {
    if (block.type === 'block' || block.type === 'image') add(block.id, block.runs);
    if (block.type === 'table') for (const row of block.rows) for (const cell of row) add(block.id, cell.runs);
  }
  return [...found.values()];
}

/** The text around the first mention of the person, at `at`. The database refuses NUL and half surrogate pairs. */
function excerptAt(text: string, at: number): string {
  const from = startOfCharacter(text, Math.max(0, at - MAX_EXCERPT_LENGTH / 2));
  return cutText(text.slice(from), MAX_EXCERPT_LENGTH).toWellFormed().replaceAll('\0', '');
}
