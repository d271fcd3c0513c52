import { expect, test } from 'vitest';
import { mentionsIn } from 'weft-document/body/mentions.ts';
import * as Y from 'yjs';

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
