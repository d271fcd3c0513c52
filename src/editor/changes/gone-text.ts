// The words on the tag that stands for removed text.
import type { ChangeMark } from 'weft-document/changes/change-steps.ts';
import { counted } from '../../lib/text/counted.ts';

type Gone = Extract<ChangeMark, { readonly type: 'gone' | 'goneBlocks' }>;

export function goneLabel(mark: Gone): string {
  if (mark.words > 0) return `${counted(mark.words, 'word')} removed`;
  if (mark.type === 'goneBlocks') return `${counted(mark.blocks, 'block')} removed`;
  return `${counted(Array.from(mark.text).length, 'character')} removed`;
}
