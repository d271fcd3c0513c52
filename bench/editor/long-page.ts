// A page of a given length, mixed like people's pages, with a table in the middle. It comes from a seed, so every system
// and every round gets the same one.
import { type DetachedBlock, plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { blankSeed } from 'weft-document/seed.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../src/lib/bytes.ts';
import { prng } from '../../src/lib/prng.ts';

export type LongPage = {
  readonly doc: Y.Doc;
  /** The updates after the seed row of every page; each adds 50 blocks. */
  readonly edits: readonly Bytes[];
  readonly blocks: number;
  /** Index of the paragraph in the middle, where people type. */
  readonly middle: number;
};

const CLIENT_ID = 4_000_000_000;
const BLOCKS_AT_ONCE = 50;
const TABLE = { rows: 12, columns: 5 } as const;
/** The table stands this many blocks below the paragraph in the middle. */
export const BLOCKS_TO_TABLE = 2;

export function longPage(characters: number): LongPage {
  const random = prng(20_261_121);
  const doc = newDoc(CLIENT_ID);
  Y.applyUpdate(doc, blankSeed());
  const edits: Bytes[] = [];
  doc.on('update', (update: Uint8Array) => void edits.push(new Uint8Array(update)));
  const all = blocksOf(characters, random);
  const here = Math.floor(all.length / 2);
  // The blocks around the caret are the same in every page.
  for (let at = here - BLOCKS_TO_TABLE; at <= here + 2 * BLOCKS_TO_TABLE; at++) all[at] = paragraph(280, random);
  all[here + BLOCKS_TO_TABLE] = table(random);
  for (let at = 0; at < all.length; at += BLOCKS_AT_ONCE) {
    fillPage(doc, 'A long page', elementsOfBlocks(all.slice(at, at + BLOCKS_AT_ONCE)));
  }
  return { doc, edits, blocks: all.length, middle: here };
}

/** Mostly paragraphs, with some headings, lists and tasks. */
function blocksOf(characters: number, random: () => number): DetachedBlock[] {
  const all: DetachedBlock[] = [];
  for (let written = 0; written < characters;) {
    const kind = random();
    const length = kind < 0.1 ? 30 : kind < 0.35 ? 80 : 150 + Math.floor(500 * random() ** 2);
    all.push(
      kind < 0.1
        ? textBlock({ kind: 'heading', level: kind < 0.03 ? 1 : 2 }, [plainRun(wordsOf(length, random))])
        : kind < 0.35
          ? textBlock({ kind: kind < 0.25 ? 'bullet' : 'task' }, [plainRun(wordsOf(length, random))])
          : paragraph(length, random),
    );
    written += length;
  }
  return all;
}

/** Every third paragraph has a few bold words. */
function paragraph(length: number, random: () => number): DetachedBlock {
  const text = plainRun(wordsOf(length, random));
  if (random() > 0.33) return textBlock({ kind: 'paragraph' }, [text]);
  const bold = { ...plainRun(wordsOf(12, random)), bold: true };
  return textBlock({ kind: 'paragraph' }, [text, bold, plainRun(` ${wordsOf(20, random)}`)]);
}

const table = (random: () => number): DetachedBlock => ({
  type: 'table',
  headRow: true,
  headColumn: false,
  rows: Array.from({ length: TABLE.rows }, () =>
    Array.from({ length: TABLE.columns }, () => ({ runs: [plainRun(wordsOf(14, random))] })),
  ),
});

function wordsOf(length: number, random: () => number): string {
  let text = '';
  while (text.length < length) {
    const characters = 2 + Math.floor(8 * random());
    for (let at = 0; at < characters; at++) text += 'etaoinshrdlucmfwypvbgk'.charAt(Math.floor(22 * random() ** 1.7));
    text += ' ';
  }
  return text.slice(0, length);
}
