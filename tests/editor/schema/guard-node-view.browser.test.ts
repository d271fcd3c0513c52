import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CELL, EMBED, SUBPAGES } from 'weft-document/names.ts';
import { UNKNOWN } from '../../../src/editor/schema/unknown-node.ts';
import { CONTENT_TEXTS } from '../../../src/texts/content-texts.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

const reported = vi.fn<typeof reportError>();
beforeEach(() => {
  const real = globalThis.reportError;
  reported.mockClear();
  globalThis.reportError = reported;
  onTestFinished(() => void (globalThis.reportError = real));
});

/**
 * A cell and the place of subpages are an element and nothing else; the view of unknown blocks is the unsupported block itself.
 */
const BARE = new Set([CELL, UNKNOWN, SUBPAGES]);

test('the view of every kind of block is guarded', () => {
  const { editor } = openPage(pageSession(pageSeed('Words')));
  const { view, schema } = editor;
  // `nodeViews` has those of all plugins.
  const { nodeViews } = view as unknown as { nodeViews: Record<string, (...args: unknown[]) => { dom: Element }> };
  const names = Object.keys(nodeViews).filter((name) => !BARE.has(name));
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const node = schema.nodes[name]?.create();
    const broken = Object.create(node!, {
      attrs: {
        get: () => {
          throw new Error('broken on purpose');
        },
      },
      textContent: {
        get: () => {
          throw new Error('broken on purpose');
        },
      },
    });
    const { dom } = nodeViews[name]!(broken, view, () => undefined, [], null);
    expect([name, dom.textContent?.includes(CONTENT_TEXTS.blockFailed)]).toEqual([name, true]);
  }
  expect(reported).toHaveBeenCalledTimes(names.length);
});

test('a block whose view fails is shown as an unsupported one, the rest can be edited, and it is drawn again once it changes', () => {
  const session = pageSession(pageSeed('Words'));
  const { editor } = openPage(session);
  const { view, schema } = editor;
  const real = document.createElement.bind(document);
  const create = vi.spyOn(document, 'createElement').mockImplementation((name: string) => {
    if (name === 'a') throw new Error('broken on purpose');
    return real(name);
  });
  const end = view.state.doc.content.size;
  view.dispatch(view.state.tr.insert(end, schema.nodes[EMBED]!.create({ url: 'https://weft.dev/' })));
  expect(view.dom.querySelector('.unsupported-block')?.textContent).toContain(CONTENT_TEXTS.blockFailed);
  view.dispatch(view.state.tr.insertText('More ', 1));
  expect(view.dom.querySelector('.block-text')?.textContent).toBe('More Words');
  create.mockRestore();
  view.dispatch(view.state.tr.setNodeMarkup(end + 5, undefined, { url: 'https://weft.dev/guide' }));
  expect(view.dom.querySelector('.unsupported-block')).toBeNull();
  expect(view.dom.querySelector('.block-card')).not.toBeNull();
});

test('only people who may write see the button that deletes an unsupported block', () => {
  const seed = pageSeed('Words', { node: 'hologram', text: 'kept' });
  const isOffered = (editable: boolean) =>
    openPage(pageSession(seed), editable)
      .editor.view.dom.querySelector<HTMLElement>('.unsupported-block-head .unsupported-block-button')
      ?.checkVisibility() === true;
  expect([true, false].map(isOffered)).toEqual([true, false]);
});
