// The other places on a page with words that are erased.
import { expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { copiesOf } from 'weft-document/history/erased-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { textAt } from '../../support/editor/visible-characters.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

function docOf(...lines: readonly string[]): Y.Doc {
  const doc = new Y.Doc();
  fillPage(doc, '', elementsOfBlocks(lines.map((line) => textBlock({}, [plainRun(line)]))));
  return doc;
}

/** The Yjs ids of the first characters of a block's text. */
function firstOf(doc: Y.Doc, at: number, length: number) {
  const { id } = textAt(doc, at)._start ?? {};
  if (id === undefined) throw new Error('no text');
  return [id.client, id.clock, length] as const;
}

test('a copy is found across the pieces of a text, and the chosen words are none', () => {
  const doc = docOf('secret', 'no secret');
  textAt(doc, 1).insert(5, 'cret se');
  const chosen = [firstOf(doc, 0, 6)];
  expect(textAt(doc, 1).toJSON()).toBe('no secret secret');
  const found = copiesOf(doc, chosen);
  expect(found?.places).toBe(2);
  expect(found?.characters.reduce((sum, [, , length]) => sum + length, 0)).toBe(12);
  expect(copiesOf(docOf('secret'), [firstOf(docOf('secret'), 0, 3)])).toBeNull();
});

test('a text of 20,000 pieces with a copy in each takes as long as ten of 2,000', async () => {
  const search = (pieces: number) => {
    const doc = docOf('word', 'word '.repeat(pieces));
    doc.transact(() => {
      for (let at = pieces - 1; at > 0; at--) textAt(doc, 1).insert(5 * at, '-');
    });
    const chosen = [firstOf(doc, 0, 4)];
    expect(bodyOf(doc).length).toBe(2);
    return () => copiesOf(doc, chosen)?.places;
  };
  expect(search(2_000)()).toBe(2_000);
  expect(await timesAsLong(search(20_000), repeatedly(10, search(2_000)), 2)).toBeLessThan(4);
});
