import { expect, test } from 'vitest';
import { type CalloutRow, calloutPlaces } from 'weft-document/blocks/callout-bodies.ts';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { blocksToHtml } from 'weft-document/html/blocks-to-html.ts';
import { blocksToMarkdown } from 'weft-document/markdown/blocks-to-markdown.ts';
import { markdownToBlocks } from 'weft-document/markdown/markdown-to-blocks.ts';

const NOTE = (indent: number): CalloutRow => ({ indent, tone: 'note' });
const TEXT = (indent: number): CalloutRow => ({ indent, tone: null });
const PICTURE: CalloutRow = { indent: null, tone: null };

const partsOf = (...rows: readonly CalloutRow[]) => {
  const places = calloutPlaces(rows);
  return rows.map((_row, at) => places.get(at)?.part.slice(0, 1) ?? '-').join('');
};

test.each([
  ['the deeper blocks below a callout', [TEXT(0), NOTE(0), TEXT(1), TEXT(2), TEXT(0)], '-bme-'],
  ['none below a callout that holds none', [NOTE(0), TEXT(0), NOTE(0)], '---'],
  ['a picture only if a deeper block follows', [NOTE(0), PICTURE, TEXT(1), PICTURE, TEXT(0)], 'bme--'],
  ['callouts in a callout as parts of the outer one', [NOTE(0), NOTE(1), TEXT(2), TEXT(1), TEXT(0)], 'bmme-'],
  ['two callouts in a row apart', [NOTE(1), TEXT(2), NOTE(1), TEXT(2)], 'bebe'],
])('a callout holds %s', (_name, rows, parts) => {
  expect(partsOf(...rows)).toBe(parts);
});

test('a row whose place is the same has the same object', () => {
  expect(calloutPlaces([NOTE(3), TEXT(4)]).get(1)).toBe(calloutPlaces([TEXT(0), NOTE(3), TEXT(4)]).get(2));
});

test('Markdown and HTML keep what a callout holds in it', () => {
  const blocks = [
    textBlock({ kind: 'callout', tone: 'tip' }, [plainRun('Low water')]),
    textBlock({ indent: 1 }, [plainRun('Mind the steps')]),
    textBlock({ kind: 'bullet', indent: 1 }, [plainRun('slippery')]),
    textBlock({ kind: 'code', indent: 1, language: 'js' }, [plainRun('wait()')]),
    textBlock({}, [plainRun('after')]),
  ];
  const markdown = blocksToMarkdown(blocks);
  expect(markdown).toBe(
    '> [!TIP]\n> Low water\n>\n> Mind the steps\n>\n> - slippery\n>\n> ```js\n> wait()\n> ```\n\nafter\n',
  );
  expect(markdownToBlocks(markdown)).toEqual(blocks);
  expect(blocksToHtml(blocks, { roundTrip: false })).toBe(
    '<aside class="callout tip"><p>Low water</p><p>Mind the steps</p><ul><li>slippery</li></ul>' +
      '<pre><code class="language-js">wait()</code></pre></aside><p>after</p>',
  );
});
