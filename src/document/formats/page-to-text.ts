// Writes a page as plain text that reads well in any program: list markers, checkboxes, quotes as in email.
import { type Block, textOfRuns } from '../blocks/block.ts';
import { NO_NUMBERS, numbersAfter } from '../blocks/list-numbers.ts';
import { textOfBlocks } from '../body/body-text.ts';

export function* pageToText(title: string, blocks: readonly Block[]): Generator<string> {
  if (title !== '') yield `${title}\n\n`;
  let numbers = NO_NUMBERS;
  for (const block of blocks) {
    const indent = block.type === 'block' ? block.indent : 0;
    numbers = numbersAfter(block, numbers);
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
      return `${number}${block.delimiter} `;
    case 'task':
      return block.checked ? '[x] ' : '[ ] ';
    case 'quote':
      return '> ';
    default:
      return '';
  }
}
