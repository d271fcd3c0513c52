// Callouts that hold blocks: how they are written, and their box, which is made of its blocks.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { shiftIndent } from '../../../src/editor/blocks/block-commands.ts';
import { StaticBody } from '../../../src/editor/reading/static-body.tsx';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { twoEditors } from '../../support/editor/two-people.ts';

const LINES: readonly PageLine[] = [
  'before',
  { kind: 'callout', tone: 'tip', text: 'low water' },
  { indent: 1, text: 'mind the steps' },
  { kind: 'heading', level: 2, indent: 1, text: 'tides' },
  { kind: 'bullet', indent: 1, text: 'one' },
  { kind: 'bullet', indent: 1, text: 'two' },
  { node: 'divider' },
  { kind: 'code', indent: 1, text: 'wait()' },
  'after',
];
const PARTS = ['', 'tip begin', 'tip middle', 'tip middle', 'tip middle', 'tip middle', 'tip middle', 'tip end', ''];

const blocksIn = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>('.block')];
const partsIn = (root: ParentNode) =>
  blocksIn(root).map(({ dataset }) =>
    [dataset['callout'], dataset['calloutPart']].filter((one) => one !== undefined).join(' '),
  );

/** The pixels between the parts of the box, and whether all parts are as wide as the first one. */
function boxIn(root: ParentNode) {
  const boxes = blocksIn(root)
    .filter(({ dataset }) => dataset['callout'] !== undefined)
    .map((block) => block.getBoundingClientRect());
  const gaps = boxes.slice(1).map(({ top }, at) => Math.max(0, top - (boxes[at]?.bottom ?? 0)));
  const isEven = boxes.every(({ left, right }) => left === boxes[0]?.left && right === boxes[0].right);
  return { gap: Math.max(...gaps), isEven };
}

test('the blocks of a callout are one box, in the editor and for watchers', () => {
  const session = pageSession(pageSeed(...LINES));
  const { dom } = openPage(session).editor.view;
  expect(partsIn(dom)).toEqual(PARTS);
  expect(boxIn(dom)).toEqual({ gap: 0, isEven: true });
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  onTestFinished(() => {
    root.unmount();
    host.remove();
  });
  flushSync(() => root.render(<StaticBody blocks={parseBody(session.doc)} page="page" />));
  expect(partsIn(host)).toEqual(PARTS);
  expect(boxIn(host)).toEqual({ gap: 0, isEven: true });
  expect(session.localUpdates).toEqual([]);
});

test('Enter in a callout goes on in it, and on an empty last line leaves it', async () => {
  const session = pageSession();
  await openPage(session).press('!!!tip low{Enter}mind{Enter}- steps{Enter}{Enter}{Enter}after');
  expect(linesOf(session)).toEqual(['callout(tip): low', 'paragraph>1: mind', 'bullet>1: steps', 'paragraph: after']);
});

test('Enter amid the text of a callout takes the rest into it', async () => {
  const session = pageSession(pageSeed({ kind: 'callout', tone: 'note', text: 'low water' }, 'after'));
  const page = openPage(session);
  page.caret(0, 4);
  await page.press('{Enter}');
  expect(linesOf(session)).toEqual(['callout(note): low ', 'paragraph>1: water', 'paragraph: after']);
});

test('the box follows what others do, and typing in it draws nothing anew', async () => {
  const seed = pageSeed({ kind: 'callout', tone: 'tip', text: 'low' }, { indent: 1, text: 'mind' }, 'after');
  const { a, b, agree } = twoEditors(seed);
  const parts = () => partsIn(a.editor.view.dom);
  expect(parts()).toEqual(['tip begin', 'tip end', '']);
  const drawn = blocksIn(a.editor.view.dom)[1];
  a.caret(1, 0);
  await a.press('x');
  expect(blocksIn(a.editor.view.dom)[1]).toBe(drawn);
  expect(parts()).toEqual(['tip begin', 'tip end', '']);
  b.caret(2, 0);
  shiftIndent(1)(b.editor.state, b.editor.view.dispatch);
  await expect.poll(parts).toEqual(['tip begin', 'tip middle', 'tip end']);
  agree();
});
