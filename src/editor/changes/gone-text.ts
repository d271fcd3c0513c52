// The words on the tag that stands for removed text.
import type { ChangeMark } from '../../document/changes/change-steps.ts';

type Gone = Extract<ChangeMark, { readonly type: 'gone' | 'goneBlocks' }>;

export function goneLabel(mark: Gone): string {
  if (mark.words > 0) return `${countOf(mark.words, 'word')} removed`;
  if (mark.type === 'goneBlocks') return `${countOf(mark.blocks, 'block')} removed`;
  return `${countOf(Array.from(mark.text).length, 'character')} removed`;
}

const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
