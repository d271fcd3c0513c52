// Puts the references to footnotes behind words of a page, in its blocks.
import * as Y from 'yjs';
import { type Block, MAX_INDENT, PLAIN, type Run, textOfRuns } from '../blocks/block.ts';
import { textBlock } from '../blocks/detached-block.ts';
import { bodyParts } from '../body-parts.ts';
import { deltaOf, parsePart } from '../body/parse-body.ts';
import { TABLE, bodyOf } from '../names.ts';
import { cellGrid } from '../tables/table-grid.ts';
import type { TextPlace } from './page-texts.ts';

/** A place in the blocks of a page. */
export type BlockPlace = {
  readonly block: number;
  /** Which text of the block, and how far in it; null for the block as a whole. */
  readonly within: { readonly text: number; readonly offset: number } | null;
};
export type PlacedNote = { readonly name: string; readonly place: BlockPlace };

/** The blocks of a page, and where its texts are in them. */
export class NotedBlocks {
  readonly #blocks: readonly Block[];
  readonly #texts = new Map<Y.XmlText, { readonly block: number; readonly text: number; readonly start: number }>();

  constructor(doc: Y.Doc) {
    const parts = bodyParts(bodyOf(doc));
    this.#blocks = parts.map(parsePart);
    for (const [block, { element }] of parts.entries()) {
      if (element === null) continue;
      const holders = element.nodeName === TABLE ? cellGrid(element).flat() : [element];
      for (const [text, holder] of holders.entries()) {
        let start = 0;
        for (const child of holder.toArray()) {
          if (!(child instanceof Y.XmlText)) continue;
          this.#texts.set(child, { block, text, start });
          start += charactersBefore(child, Infinity);
        }
      }
    }
  }

  /** Null for a text that is in no block. */
  placeOf({ text, index }: TextPlace): BlockPlace | null {
    const known = this.#texts.get(text);
    if (known === undefined) return null;
    return { block: known.block, within: { text: known.text, offset: known.start + charactersBefore(text, index) } };
  }

  placeOfBlock(id: string): BlockPlace | null {
    const block = this.#blocks.findIndex((one) => one.id === id);
    return block < 0 ? null : { block, within: null };
  }

  /** The blocks with the references. References at one place keep the order of `notes`. */
  with(notes: readonly PlacedNote[]): readonly Block[] {
    const byBlock = Map.groupBy(notes, ({ place }) => place.block);
    return this.#blocks.flatMap((block, at) => {
      const own = byBlock.get(at);
      return own === undefined ? [block] : withNotes(block, own);
    });
  }
}

/** In the order of the text; a block as a whole comes after its words. */
export function compareBlockPlaces(one: BlockPlace, other: BlockPlace): number {
  const [a, b] = [one.within, other.within];
  if (one.block !== other.block || a === null || b === null) {
    return one.block - other.block || Number(a === null) - Number(b === null);
  }
  return a.text - b.text || a.offset - b.offset;
}

/** The characters that `runsOfDelta` takes over, of the first `length` units of a text: an object counts as one, and has none. */
function charactersBefore(text: Y.XmlText, length: number): number {
  let left = length;
  let characters = 0;
  for (const { insert } of deltaOf(text)) {
    if (left <= 0) break;
    if (typeof insert === 'string') characters += Math.min(left, insert.length);
    left -= typeof insert === 'string' ? insert.length : 1;
  }
  return characters;
}

/** Code, formulas, names and what is written as HTML have no place for a reference: a line below has it. */
function withNotes(block: Block, notes: readonly PlacedNote[]): readonly Block[] {
  const isInText = hasPlace(block) ? ({ place }: PlacedNote) => place.within !== null : () => false;
  const below = notes.filter((note) => !isInText(note)).map(({ name }) => referenceTo(name, PLAIN));
  const ofText = (runs: readonly Run[], text: number) =>
    withReferences(
      runs,
      notes.flatMap(({ name, place: { within } }) => (within?.text === text ? [{ name, offset: within.offset }] : [])),
    );
  return [
    hasPlace(block) ? changeTexts(block, ofText) : block,
    ...(below.length === 0 ? [] : [lineBelow(block, below)]),
  ];
}

const hasPlace = (block: Block): boolean =>
  block.type === 'table' || (block.type === 'block' && block.kind !== 'code' && block.kind !== 'toggle');

function changeTexts(block: Block, change: (runs: readonly Run[], text: number) => readonly Run[]): Block {
  if (block.type === 'block') return { ...block, runs: change(block.runs, 0) };
  if (block.type !== 'table') return block;
  let text = 0;
  return { ...block, rows: block.rows.map((row) => row.map((cell) => ({ ...cell, runs: change(cell.runs, text++) }))) };
}

/** A block without a depth stands between the items of a list and does not end it, as a line at the greatest depth. */
const lineBelow = (block: Block, runs: readonly Run[]): Block => ({
  ...textBlock({ indent: block.type !== 'block' ? MAX_INDENT : block.indent + Number(block.kind === 'toggle') }, runs),
  key: `${block.key} notes`,
  id: null,
});

function withReferences(
  runs: readonly Run[],
  notes: readonly { readonly name: string; readonly offset: number }[],
): readonly Run[] {
  // Before all words, a reference and a colon would be read as a footnote. Commented words that are blank may be there.
  const first = textOfRuns(runs).search(/\S/);
  const left = notes
    .map(({ name, offset }) => ({ name, offset: offset <= first ? Infinity : endOfWhole(runs, offset) }))
    .sort((one, other) => one.offset - other.offset);
  const noted: Run[] = [];
  let start = 0;
  for (const run of runs) {
    let from = 0;
    for (let note = left[0]; note !== undefined && note.offset <= start + run.text.length; note = left[0]) {
      noted.push({ ...run, text: run.text.slice(from, note.offset - start) }, referenceTo(note.name, run));
      from = note.offset - start;
      left.shift();
    }
    noted.push({ ...run, text: run.text.slice(from) });
    start += run.text.length;
  }
  return [...noted, ...left.map(({ name }) => referenceTo(name, PLAIN))];
}

const referenceTo = (name: string, { bold, italic, underline, strike, highlight }: Run | typeof PLAIN): Run => ({
  ...PLAIN,
  ...{ bold, italic, underline, strike, highlight },
  text: `[^${name}]`,
  note: name,
});

/** A reference in code, a formula or a link would be part of it. */
function endOfWhole(runs: readonly Run[], offset: number): number {
  let end = 0;
  for (const [at, run] of runs.entries()) {
    end += run.text.length;
    if (offset > end || areOne(run, runs[at + 1])) continue;
    return areOne(run, run) ? end : offset;
  }
  return end;
}

const areOne = (one: Run, other: Run | undefined): boolean =>
  other !== undefined &&
  ((one.code && other.code) || (one.formula && other.formula) || (one.link !== null && one.link === other.link));
