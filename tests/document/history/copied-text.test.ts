// The authors of characters in a row that deletes and inserts much at once, as after an hour without a network.
import { expect, test } from 'vitest';
import { textOfRuns } from 'weft-document/blocks/block.ts';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { OWN_TEXT } from 'weft-document/changes/text-part.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type * as Y from 'yjs';
import { PageLog } from '../../../src/sessions/history/page-log.ts';
import { Writer } from '../../support/editor/random-log.ts';
import { textAt } from '../../support/editor/visible-characters.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const blockOf = (line: string): Y.XmlElement => {
  const [block] = elementsOfBlocks([textBlock({}, [plainRun(line)])]);
  if (block === undefined) throw new Error('no block');
  return block;
};

/** Alice writes the lines, and Bob changes something in one row. Returns the author of each part of the blocks. */
function authorsAfter(
  lines: readonly string[],
  change: (body: Y.XmlFragment, textOf: (at: number) => Y.XmlText) => void,
) {
  const rows: Row[] = [];
  const [alice, bob] = [new Writer(0), new Writer(1)];
  fillPage(alice.doc, '', elementsOfBlocks(lines.map((line) => textBlock({}, [plainRun(line)]))));
  alice.send(rows);
  bob.receive(rows);
  change(bodyOf(bob.doc), (at) => textAt(bob.doc, at));
  bob.send(rows);
  const log = new PageLog();
  log.take(rows);
  const limit = log.limitOf(log.seq) ?? 0;
  const authors = log.history.authors(limit);
  return log.history.blocks(limit).map((block) => {
    const text = block.type === 'block' ? textOfRuns(block.runs) : '';
    return (authors.get(block.key)?.get(OWN_TEXT) ?? []).map(
      ({ from, to, contribution }) =>
        `${log.contribution(contribution).session.endsWith('1') ? 'Alice' : 'Bob'}: ${text.slice(from, to)}`,
    );
  });
}

test('a sentence that begins and ends as a deleted one elsewhere is not the deleted one', () => {
  const found = authorsAfter(['The plan of Alice is good.', 'Between', 'Rest'], (_body, textOf) => {
    textOf(0).delete(0, 26);
    textOf(2).insert(4, 'The budget that Bob wrote is not good.');
  });
  expect(found).toEqual([[], ['Alice: Between'], ['Alice: Rest', 'Bob: The budget that Bob wrote is not good.']]);
});

test('a character is not the same one that was deleted in another block', () => {
  const found = authorsAfter(['a', ''], (_body, textOf) => {
    textOf(0).delete(0, 1);
    textOf(1).insert(0, 'a');
  });
  expect(found).toEqual([[], ['Bob: a']]);
});

test('a word that was rewritten in its block keeps what stays of it', () => {
  const found = authorsAfter(['I will not pay.'], (_body, textOf) => {
    textOf(0).delete(0, 15);
    textOf(0).insert(0, 'I will pay.');
  });
  // Only the removal is Bob's contribution; the characters that stay are hers.
  expect(found).toEqual([['Alice: I will pay.']]);
});

test('characters keep their author where a block is cut near its end, however few they are, and where it is joined again', () => {
  const found = authorsAfter(['One two', 'x', 'End', 'yz'], (body, textOf) => {
    textOf(0).delete(6, 1);
    body.insert(1, [blockOf('o')]);
    textOf(3).insert(3, 'yz');
    body.delete(4, 1);
  });
  expect(found).toEqual([['Alice: One tw'], ['Alice: o'], ['Alice: x'], ['Alice: Endyz']]);
});

test('characters keep their author where someone cuts a block and types in the half', () => {
  const found = authorsAfter(['The boat leaves at nine.'], (body, textOf) => {
    textOf(0).delete(8, 16);
    body.insert(1, [blockOf('But leaves at nine.')]);
  });
  expect(found).toEqual([['Alice: The boat'], ['Bob: But', 'Alice:  leaves at nine.']]);
});

test('a deleted text of 16,000 pieces takes as long as sixteen of 1,000', async () => {
  const logOf = (pieces: number) => {
    const rows: Row[] = [];
    const bob = new Writer(1);
    fillPage(bob.doc, '', elementsOfBlocks([textBlock({}, [plainRun('a'.repeat(2 * pieces))])]));
    bob.send(rows);
    bob.doc.transact(() => {
      for (let at = pieces - 1; at > 0; at--) textAt(bob.doc, 0).insert(2 * at, 'b');
    });
    bob.send(rows);
    bodyOf(bob.doc).delete(0, 1);
    bob.send(rows);
    return () => new PageLog().take(rows);
  };
  expect(await timesAsLong(logOf(16_000), repeatedly(16, logOf(1_000)), 2)).toBeLessThan(3);
});

test('the work is bounded where one row replaces 8,000 blocks by others', async () => {
  const logOf = (length: number) => {
    const rows: Row[] = [];
    const bob = new Writer(1);
    const blocks = (lineAt: (at: number) => string) =>
      elementsOfBlocks(Array.from({ length }, (_block, at) => textBlock({}, [plainRun(lineAt(at))])));
    fillPage(
      bob.doc,
      '',
      blocks((at) => `Line number ${at} of the page`),
    );
    bob.send(rows);
    bodyOf(bob.doc).delete(0, length);
    bodyOf(bob.doc).insert(0, Array.from(blocks((at) => `something else ${at}`)));
    bob.send(rows);
    return () => new PageLog().take(rows);
  };
  expect(await timesAsLong(logOf(8_000), logOf(2_000), 1)).toBeLessThan(8);
});
