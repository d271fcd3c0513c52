// Browsers edit the DOM themselves, and ProseMirror then reads the changed part of it anew. Firefox replaces the nodes
// beside the caret at nearly every key, so a mark that cannot be read from its own DOM is lost there for everyone.
import type { Node as PageNode } from '@tiptap/pm/model';
import { beforeAll, expect, test } from 'vitest';
import { page as browserPage } from 'vitest/browser';
import { ROW, CELL } from 'weft-document/names.ts';
import { type OpenedPage, openPage } from '../../support/editor/opened-page.ts';
import { pageSession } from '../../support/editor/page-session.ts';

beforeAll(() => browserPage.viewport(1280, 800));

const empty = () => openPage(pageSession());

/** Attributes of hostile or older clients too: whatever is stored must still be there after the DOM was read. */
const MARKS: readonly (readonly [string, Readonly<Record<string, unknown>> | null])[] = [
  ['bold', null],
  ['italic', null],
  ['underline', null],
  ['strike', null],
  ['code', null],
  ['highlight', null],
  ['formula', null],
  ['link', { href: 'https://example.org/a b?c="d"' }],
  ['link', { href: 'javascript:alert(1)' }],
  ['link', { href: 7 }],
  ['mention', { user: '6d1f6f0e-0000-4000-8000-000000000001' }],
  ['date', { day: '2026-11-22' }],
  ['date', { day: 'no day' }],
];

/** Replaces the page by `nodes` and returns the page as it is shown. */
function show(page: OpenedPage, ...nodes: readonly PageNode[]): PageNode {
  const { view } = page.editor;
  view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, nodes));
  return view.state.doc;
}

/** Makes ProseMirror read everything inside `element` from the DOM, as after an edit of the browser. */
async function readAgain(page: OpenedPage, element: Element): Promise<void> {
  const reads = countReads(page);
  element.prepend(document.createTextNode('<'));
  element.append(document.createTextNode('>'));
  await expect.poll(reads).toBeGreaterThan(0);
}

/** How often the page changed since the call. */
function countReads({ editor }: OpenedPage): () => number {
  let reads = 0;
  editor.on('update', () => (reads += 1));
  return () => reads;
}

test('every mark of the schema is among the marks below', () => {
  const { schema } = empty().editor;
  expect(Object.keys(schema.marks).toSorted()).toEqual([...new Set(MARKS.map(([name]) => name))].toSorted());
});

test.each(MARKS)('text marked as %s with %j keeps its mark when the browser edits beside it', async (name, attrs) => {
  const page = empty();
  const { schema } = page.editor;
  const mark = schema.mark(name, attrs);
  const block = schema.node('block', { id: 'one' }, [
    schema.text('a '),
    schema.text('word', [mark]),
    schema.text(' b'),
  ]);
  show(page, block);
  const text = page.editor.view.dom.querySelector('.block-text');
  await readAgain(page, text ?? document.body);
  const runs: unknown[] = [];
  page.editor.state.doc.descendants((node) => {
    if (node.isText && node.marks.length > 0) runs.push([node.text, node.marks.map(({ attrs: kept }) => kept)]);
  });
  expect(runs).toEqual([['word', [mark.attrs]]]);
});

test('each node keeps its attributes and its content when the browser edits beside it', async () => {
  const page = empty();
  const { schema } = page.editor;
  const words = (text: string) => schema.text(text);
  const cell = (text: string) => schema.node(CELL, { width: 120 }, words(text));
  const nodes = [
    schema.node('block', { id: 'a', kind: 'heading', level: 2 }, words('heading')),
    schema.node('block', { id: 'b', kind: 'task', checked: true, indent: 2 }, words('task')),
    schema.node('block', { id: 'c', kind: 'code', language: 'ts' }, words('let a;\n\n  b')),
    schema.node('block', { id: 'd', kind: 'callout', tone: 'care' }, words('callout')),
    schema.node('divider', { id: 'e' }),
    schema.node('image', { id: 'f', file: 'x', name: 'p.png', width: 10, height: 20, size: 50 }, words('caption')),
    schema.node('file', { id: 'g', file: 'y', name: 'f.txt', bytes: 3, mime: 'text/plain' }),
    schema.node('math', { id: 'h' }, words('x^2')),
    schema.node('embed', { id: 'i', url: 'https://example.org/', title: 'card' }),
    schema.node('table', { id: 'j', headRow: true }, [schema.node(ROW, { moved: 'm' }, [cell('1'), cell('2')])]),
    schema.node('subpages', { id: 'k' }),
    schema.node('unknown'),
  ];
  const held = new Set(nodes.flatMap((node) => typesIn(node)));
  expect([...held].toSorted()).toEqual(
    Object.keys(schema.nodes)
      .filter((name) => name !== 'doc')
      .toSorted(),
  );
  for (const node of nodes) {
    show(
      page,
      schema.node('block', { id: 'before' }, words('before')),
      node,
      schema.node('block', { id: 'after' }, words('after')),
    );
    const was = page.editor.state.doc.child(1);
    const reads = countReads(page);
    // ProseMirror reads everything between two changed places.
    for (const side of [0, 2]) page.editor.view.dom.children[side]?.querySelector('.block-text')?.append('!');
    await expect.poll(reads).toBeGreaterThan(0);
    expect(page.editor.state.doc.childCount).toBe(3);
    expect(page.editor.state.doc.child(1).toJSON()).toEqual(was.toJSON());
  }
});

const typesIn = (node: PageNode): string[] => {
  const names = [node.type.name];
  node.descendants((inner) => void names.push(inner.type.name));
  return names;
};
