// Every position of a page is found again from where it is in the document, and typing is written by comparing only its own block.
import type { Node } from '@tiptap/pm/model';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { bindingOf } from '../../../src/editor/binding/binding-of.ts';
import { toAbsolutePosition, toRelativePosition } from '../../../src/editor/binding/page-positions.ts';
import { linesOf, openPage, type OpenedPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, tableSeed } from '../../support/editor/tables.ts';

const SEEDS = {
  blocks: pageSeed('one', '', { node: 'divider' }, { kind: 'task', text: 'two three' }, { node: 'math', text: 'x^2' }),
  table: tableSeed(['n a', '- -', 'y 2']),
};

function bindingIn({ editor: { state } }: OpenedPage) {
  const binding = bindingOf(state);
  if (binding === null) throw new Error('no binding');
  return binding;
}

/** For each position of the page: where it is in the document, and where that is in the page. */
function positionsOf(page: OpenedPage) {
  const { doc } = page.editor.state;
  const binding = bindingIn(page);
  return Array.from({ length: doc.content.size + 1 }, (_, at) => {
    const position = toRelativePosition(binding, doc, at);
    return { at, position, back: toAbsolutePosition(binding, doc, position) };
  });
}

test.each(Object.entries(SEEDS))('every position of a page with %s is found again, also after edits', (name, seed) => {
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  const [page, his] = [openPage(alice), openPage(bob)];
  const write = (one: OpenedPage, text: string) => {
    if (name === 'table') caretInCell(one, 1, 1);
    else one.caret(0, 1);
    one.type(text);
  };
  for (const step of [() => undefined, () => write(page, 'mine'), () => write(his, 'his'), () => page.undo.undo()]) {
    step();
    const found = positionsOf(page);
    expect(found.map(({ at, back }) => [at, back])).toEqual(found.map(({ at }) => [at, at]));
    // And at the same place in his editor.
    const { doc } = his.editor.state;
    const theirs = found.map(({ position }) =>
      toAbsolutePosition(bindingIn(his), doc, Y.createRelativePositionFromJSON(Y.relativePositionToJSON(position))),
    );
    expect(theirs).toEqual(found.map(({ at }) => at));
  }
});

test('a position stays at its character while others write before it, and is gone with its block', () => {
  const [alice, bob] = [pageSession(pageSeed('one', 'two')), pageSession(pageSeed('one', 'two'))];
  connect(alice, bob);
  const [page, his] = [openPage(alice), openPage(bob)];
  const { doc } = page.editor.state;
  const position = toRelativePosition(bindingIn(page), doc, 8);
  his.caret(0, 0);
  his.type('new ');
  his.caret(1, 0);
  his.type('other ');
  expect(toAbsolutePosition(bindingIn(page), page.editor.state.doc, position)).toBe(18);
  const { state, view } = his.editor;
  view.dispatch(state.tr.delete(state.doc.child(0).nodeSize, state.doc.content.size));
  expect(linesOf(alice)).toEqual(['paragraph: new one']);
  expect(toAbsolutePosition(bindingIn(page), page.editor.state.doc, position)).toBeNull();
});

test('two blocks that are one object in the editor keep their own positions and their own text', () => {
  const session = pageSession(pageSeed('same', 'end'));
  const page = openPage(session);
  const { state, view } = page.editor;
  // When compared by content, one object stands for both: the same cell pasted twice, a duplicated line.
  const copy: Node = state.doc.child(0);
  view.dispatch(state.tr.insert(0, copy));
  expect(positionsOf(page).filter(({ at, back }) => at !== back)).toEqual([]);
  page.caret(1, -1);
  page.type(' below');
  page.caret(0, -1);
  page.type(' above');
  expect(linesOf(session)).toEqual(['paragraph: same above', 'paragraph: same below', 'paragraph: end']);
});

test('a key in a long page reads its own block and no other', () => {
  const session = pageSession(pageSeed(...Array.from({ length: 400 }, (_, n) => `line ${n}`)));
  const page = openPage(session);
  page.caret(200, -1);
  page.type('x');
  const { nodes } = bindingIn(page);
  const get = nodes.get.bind(nodes);
  let lookups = 0;
  nodes.get = (element) => {
    lookups += 1;
    return get(element);
  };
  page.type('y');
  expect(linesOf(session)[200]).toBe('paragraph: line 200xy');
  expect(lookups).toBeLessThan(100);
});
