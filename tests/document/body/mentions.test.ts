import { expect, test } from 'vitest';
import { mentionsIn } from 'weft-document/body/mentions.ts';
import * as Y from 'yjs';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const ALICE = '11111111-1111-4111-8111-111111111111';

test('a page’s mentions are each person once in each block, with the words around', () => {
  const doc = new Y.Doc();
  const body = doc.getXmlFragment('body');
  const write = (id: string | null, parts: readonly (readonly [text: string, user: string | null])[]) => {
    const block = new Y.XmlElement('block');
    const text = new Y.XmlText();
    body.push([block]);
    if (id !== null) block.setAttribute('id', id);
    block.push([text]);
    for (const [words, user] of parts) text.insert(text.length, words, { mention: user === null ? null : { user } });
  };
  write('one', [
    ['x'.repeat(300), null],
    ['@Alice', ALICE],
    [' and ', null],
    ['@Alice', ALICE],
  ]);
  write('two', [['@Alice', ALICE]]);
  write('waves', [
    [`x${'👋🏽'.repeat(60)}`, null],
    ['@Alice', ALICE],
    ['👋🏽'.repeat(60), null],
  ]);
  write('three', [['@nobody', 'no user id']]);
  write('four', [['nobody', null]]);
  expect(mentionsIn(doc)).toEqual([
    { user: ALICE, block: 'one', excerpt: `${'x'.repeat(100)}@Alice and @Alice` },
    { user: ALICE, block: 'two', excerpt: '@Alice' },
    { user: ALICE, block: 'waves', excerpt: `${'👋🏽'.repeat(25)}@Alice${'👋🏽'.repeat(23)}` },
  ]);
});

test('300 people in one long paragraph take as long as thirty times ten in a short one', async () => {
  const search = (people: number) => {
    const doc = new Y.Doc();
    const block = new Y.XmlElement('block');
    const text = new Y.XmlText();
    doc.getXmlFragment('body').push([block]);
    block.setAttribute('id', 'one');
    block.push([text]);
    text.applyDelta(
      Array.from({ length: people }, (_person, at) => [
        { insert: `@${at}`, attributes: { mention: { user: ALICE.slice(0, -4) + String(1000 + at) } } },
        ...Array.from({ length: 60 }, (_run, n) => ({ insert: 'word ', attributes: n % 2 === 0 ? { bold: {} } : {} })),
      ]).flat(),
    );
    return () => mentionsIn(doc).length;
  };
  expect(search(300)()).toBe(300);
  expect(await timesAsLong(search(300), repeatedly(30, search(10)), 2)).toBeLessThan(5);
});
