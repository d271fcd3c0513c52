// Positions found through their block or cell equal those that y-tiptap finds by walking through the page, and typing
// is written by comparing only its own block.
import type { Node } from '@tiptap/pm/model';
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition } from '@tiptap/y-tiptap';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { bindingOf } from '../../../src/editor/binding/binding-of.ts';
import { toAbsolutePosition, toRelativePosition } from '../../../src/editor/binding/yjs-positions.ts';
import { linesOf, openPage, type OpenedPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, tableSeed } from '../../support/editor/tables.ts';

const SEEDS = {
  blocks: pageSeed('one', '', { node: 'divider' }, { kind: 'task', text: 'two three' }, { node: 'math', text: 'x^2' }),
  table: tableSeed(['n a', '- -', 'y 2']),
};

function positionsOf({ editor: { state } }: OpenedPage) {
  const binding = bindingOf(state);
  if (binding === null) throw new Error('no binding');
  const found: { at: number; own: unknown; theirs: unknown; back: number | null; backByThem: number | null }[] = [];
  for (let at = 0; at <= state.doc.content.size; at++) {
    const own = toRelativePosition(binding, state.doc, at);
    const theirs: Y.RelativePosition = absolutePositionToRelativePosition(at, binding.type, binding.mapping);
    found.push({
      at,
      own: Y.relativePositionToJSON(own),
      theirs: Y.relativePositionToJSON(theirs),
      back: toAbsolutePosition(binding, state.doc, own),
      backByThem: relativePositionToAbsolutePosition(binding.doc, binding.type, theirs, binding.mapping),
    });
  }
  return { found, binding };
}

test.each(Object.entries(SEEDS))(
  'every position of a page with %s equals the one that y-tiptap finds',
  (name, seed) => {
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
      const { found } = positionsOf(page);
      expect(found.map(({ at, own, back }) => ({ at, position: own, back }))).toEqual(
        found.map(({ at, theirs, backByThem }) => ({ at, position: theirs, back: backByThem })),
      );
    }
  },
);

test('two blocks that are one object in the editor keep their own positions and their own text', () => {
  const session = pageSession(pageSeed('same', 'end'));
  const page = openPage(session);
  const { state, view } = page.editor;
  // When compared by content, one object stands for both: the same cell pasted twice, a duplicated line.
  const copy: Node = state.doc.child(0);
  view.dispatch(state.tr.insert(0, copy));
  const { found } = positionsOf(page);
  expect(found.map(({ own }) => own)).toEqual(found.map(({ theirs }) => theirs));
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
  const binding = bindingOf(page.editor.state);
  if (binding === null) throw new Error('no binding');
  const get = binding.mapping.get.bind(binding.mapping);
  let lookups = 0;
  binding.mapping.get = (type) => {
    lookups += 1;
    return get(type);
  };
  page.type('y');
  expect(linesOf(session)[200]).toBe('paragraph: line 200xy');
  expect(lookups).toBeLessThan(100);
});
