// Writes a page as plain text that reads well in any program: list markers, checkboxes, quotes as in email.
import { type Block, MAX_INDENT, textOfRuns } from '../blocks/block.ts';
import { textOfBlocks } from '../body/body-text.ts';

export function* pageToText(title: string, blocks: readonly Block[]): Generator<string> {
  if (title !== '') yield `${title}\n\n`;
  const numbers: number[] = Array.from({ length: MAX_INDENT + 1 }, () => 0);
  for (const block of blocks) {
    const indent = block.type === 'block' ? block.indent : 0;
    const isNumbered = block.type === 'block' && block.kind === 'numbered';
    // A block ends deeper lists, and also the list at its own level unless it is numbered too.
    numbers.fill(0, isNumbered ? indent + 1 : indent);
    if (isNumbered) numbers[indent] = (numbers[indent] ?? 0) + 1;
    const margin = '  '.repeat(indent);
    const marker = markerOf(block, numbers[indent] ?? 1);
    const lines = wordsOf(block).split('\n');
    const continuation = margin + (marker === '> ' ? marker : ' '.repeat(marker.length));
    yield `${lines.map((line, at) => `${at === 0 ? margin + marker : continuation}${line}`.trimEnd()).join('\n')}\n`;
  }
}

const wordsOf = (block: Block): string => {
  if (block.type === 'block') return textOfRuns(block.runs);
  return block.type === 'divider' ? '* * *' : textOfBlocks([block]);
};

function markerOf(block: Block, number: number): string {
  if (block.type !== 'block') return '';
  switch (block.kind) {
    case 'bullet':
    case 'toggle':
      return '- ';
    case 'numbered':
      return `${number}. `;
    case 'task':
      return block.checked ? '[x] ' : '[ ] ';
    case 'quote':
      return '> ';
    default:
      return '';
  }
}
