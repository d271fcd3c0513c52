import { expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { listSubpages } from 'weft-document/blocks/listed-subpages.ts';
import { pageToText } from 'weft-document/formats/page-to-text.ts';
import { blocksToHtml } from 'weft-document/html/blocks-to-html.ts';

const before = { ...textBlock({}, [plainRun('Plan')]), key: '1.0', id: 'a' };
const list = { type: 'subpages', key: '1.5', id: 'b' } as const;
const pages = [
  { title: 'Ferry table', address: 'https://weft.dev/w/crew/p/ferry-table-1' },
  { title: 'Crew <boats>', address: 'https://weft.dev/w/crew/p/2' },
];
const HTML = { roundTrip: false, origin: 'https://weft.dev' };

test('in a file, a list of subpages is a plain list of links', () => {
  const blocks = listSubpages([before, list], pages);
  expect(blocksToHtml(blocks, HTML)).toBe(
    '<p>Plan</p><ul><li><a href="https://weft.dev/w/crew/p/ferry-table-1">Ferry table</a></li>' +
      '<li><a href="https://weft.dev/w/crew/p/2">Crew &lt;boats&gt;</a></li></ul>',
  );
  expect(Array.from(pageToText('', blocks)).join('')).toBe('Plan\n- Ferry table\n- Crew <boats>\n');
});

test('without subpages it leaves nothing behind', () => {
  expect(listSubpages([before, list], [])).toEqual([before]);
});
