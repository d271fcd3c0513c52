// Keeps the marks of changes where they belong while the page goes on changing. Text written meanwhile is marked only
// if it is inside of a mark.
import type { Block } from '../blocks/block.ts';
import { textChange } from '../title.ts';
import type { ChangeMark, ChangeSteps } from './change-steps.ts';
import { type TextPart, textsOf } from './text-part.ts';

export type MarksByBlock = ReadonlyMap<string, readonly ChangeMark[]>;

export class PlacedMarks {
  #marks: Map<string, readonly ChangeMark[]>;
  readonly #texts: Map<string, ReadonlyMap<TextPart, string>>;
  /** The objects of marked blocks when they were looked at last: an unchanged block is the same object. */
  readonly #seen = new Map<string, Block>();

  constructor({ marks, texts }: ChangeSteps) {
    this.#marks = new Map(marks);
    this.#texts = new Map(texts);
  }

  /** The marks on these blocks: the same map as before if none moved or went. */
  on(blocks: readonly Block[]): MarksByBlock {
    const next = new Map<string, readonly ChangeMark[]>();
    let isSame = true;
    for (const block of blocks) {
      const marks = this.#marks.get(block.key);
      if (marks === undefined) continue;
      const now = this.#seen.get(block.key) === block ? marks : this.#moved(block, marks);
      this.#seen.set(block.key, block);
      isSame &&= now === marks;
      next.set(block.key, now);
    }
    if (!isSame || next.size !== this.#marks.size) this.#marks = next;
    return this.#marks;
  }

  #moved(block: Block, marks: readonly ChangeMark[]): readonly ChangeMark[] {
    const before = this.#texts.get(block.key);
    const now = textsOf(block);
    this.#texts.set(block.key, now);
    if (before === undefined) return marks;
    const isSame = before.size === now.size && Array.from(before).every(([part, text]) => now.get(part) === text);
    return isSame ? marks : marks.flatMap((mark) => movedMark(mark, before, now));
  }
}

function movedMark(
  mark: ChangeMark,
  before: ReadonlyMap<TextPart, string>,
  now: ReadonlyMap<TextPart, string>,
): readonly ChangeMark[] {
  if (mark.type === 'block' || mark.type === 'goneBlocks') return [mark];
  const [old, text] = [before.get(mark.part), now.get(mark.part)];
  if (old === undefined || text === undefined) return [];
  const { index, remove, insert } = textChange(old, text);
  /** A place inside of replaced text goes to its start or end. */
  const place = (at: number, isStart: boolean): number => {
    if (at < index || (at === index && !isStart)) return at;
    if (at >= index + remove) return at - remove + insert.length;
    return isStart ? index + insert.length : index;
  };
  if (mark.type === 'gone') return [{ ...mark, at: place(mark.at, false) }];
  const [from, to] = [place(mark.from, true), place(mark.to, false)];
  return from < to ? [{ ...mark, from, to }] : [];
}
