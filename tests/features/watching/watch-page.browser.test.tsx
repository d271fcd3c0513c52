import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { changeSteps } from 'weft-document/changes/change-steps.ts';
import { comparePages } from 'weft-document/changes/compare-pages.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import type { WatchView } from 'weft-sync/session/views.ts';
import { REMOTE_ORIGIN, newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { VisitChanges } from '../../../src/editor/changes/use-change-steps.tsx';
import { changeReadingSettings } from '../../../src/features/watching/reading-settings.ts';
import { WatchPage } from '../../../src/features/watching/watch-page.tsx';
import { pageSeed } from '../../support/editor/page-seed.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/feedback/feedback.css';

beforeAll(() => page.viewport(1280, 800));

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

function renderWatchPage(seed: Uint8Array | null) {
  const doc = newDoc();
  if (seed !== null) Y.applyUpdate(doc, seed, REMOTE_ORIGIN);
  const watchers = new Set<() => void>();
  const ownChanges: unknown[] = [];
  doc.on('update', (_update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (transaction.local) ownChanges.push(transaction);
  });
  let view: WatchView = {
    phase: 'live',
    documentId: null,
    title: 'Harbour swim',
    role: 'viewer',
    changedAt: Date.now(),
    error: null,
    presenter: null,
    showsHistory: false,
    comments: null,
    rebuilds: 0,
  };
  let retries = 0;
  const watch: WatchSession = {
    doc,
    shownSeq: 1,
    getView: () => view,
    subscribe(run) {
      watchers.add(run);
      return () => watchers.delete(run);
    },
    setStance() {},
    retry: () => (retries += 1),
    close() {},
  };
  const setView = (change: Partial<WatchView>) => {
    view = { ...view, ...change };
    for (const run of watchers) run();
  };
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  const render = (changes: VisitChanges | null) =>
    react.render(
      <StrictMode>
        <WatchPage watch={watch} foldsKey="page" changes={changes} actions={<button type="button">Sign in</button>} />
      </StrictMode>,
    );
  render(null);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  return { doc, root, ownChanges, setView, render, retries: () => retries };
}

const region = () => page.getByRole('region', { name: 'Watched page' });
/** Someone else types `words` into a block. */
const othersType = (doc: Y.Doc, block: number, at: number, words: string) => {
  const author = newDoc();
  Y.applyUpdate(author, Y.encodeStateAsUpdate(doc), REMOTE_ORIGIN);
  const node = bodyOf(author).get(block);
  const text = node instanceof Y.XmlElement ? node.get(0) : null;
  if (text instanceof Y.XmlText) text.insert(at, words);
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(author), REMOTE_ORIGIN);
};

test('shows title and blocks, follows changes, underlines new words for a moment, and writes nothing', async () => {
  const { doc, root, ownChanges } = renderWatchPage(
    pageSeed({ kind: 'heading', level: 2, text: 'Waves' }, 'Wave 3 waits.'),
  );
  await expect.poll(() => root.querySelector('[aria-label="Watched page"]')?.textContent).toContain('Harbour swim');
  await expect.element(page.getByRole('heading', { level: 3, name: 'Waves' })).toBeVisible();
  await wait(50);
  expect(root.querySelector('.fresh')).toBeNull();
  othersType(doc, 1, 13, ' Hold it.');
  await expect.poll(() => root.querySelector('.fresh')?.textContent).toBe(' Hold it.');
  expect(root.querySelectorAll('.block-text')[1]?.textContent).toBe('Wave 3 waits. Hold it.');
  await expect.poll(() => root.querySelector('.fresh'), { timeout: 3000 }).toBeNull();
  expect(ownChanges).toEqual([]);
});

test('marks of what changed since the last visit wait while words are selected', async () => {
  const seed = pageSeed('Wave 3 waits.');
  const { doc, root, render } = renderWatchPage(seed);
  const line = page.getByText('Wave 3 waits.');
  await expect.element(line).toBeVisible();
  getSelection()?.selectAllChildren(line.element());
  const earlier = newDoc();
  Y.applyUpdate(earlier, seed, REMOTE_ORIGIN);
  othersType(earlier, 0, 4, ' and');
  const before = parseBody(earlier);
  const blocks = parseBody(doc);
  render({
    found: { ...changeSteps(comparePages(before, blocks), blocks), visitAt: Date.now() },
    labels: new Map(),
  });
  await wait(200);
  expect(root.querySelector('.change-stepper')).toBeNull();
  expect(getSelection()?.isCollapsed).toBe(false);
  getSelection()?.removeAllRanges();
  await expect.poll(() => root.querySelector('.change-stepper')).not.toBeNull();
});

test('if the block of the present step is deleted, no step is announced', async () => {
  const seed = pageSeed('Wave 3 waits.', 'Wave 4 waits.');
  const { doc, root, render } = renderWatchPage(seed);
  await expect.element(page.getByText('Wave 3 waits.')).toBeVisible();
  const earlier = newDoc();
  Y.applyUpdate(earlier, seed, REMOTE_ORIGIN);
  for (const block of [0, 1]) othersType(earlier, block, 4, ' and');
  const blocks = parseBody(doc);
  render({
    found: { ...changeSteps(comparePages(parseBody(earlier), blocks), blocks), visitAt: Date.now() },
    labels: new Map(),
  });
  const announced = () => root.querySelector('.change-stepper [role="status"]')?.textContent;
  await expect.poll(announced).toBe('');
  await userEvent.click(page.getByRole('button', { name: 'Next change' }));
  await expect.poll(announced).toContain('Change 1 of 2.');
  const author = newDoc();
  Y.applyUpdate(author, Y.encodeStateAsUpdate(doc), REMOTE_ORIGIN);
  bodyOf(author).delete(0, 1);
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(author), REMOTE_ORIGIN);
  await expect.poll(() => root.querySelector('.change-stepper b')?.textContent).toBe('1');
  expect(announced()).toBe('');
});

test('the badge shows “Live” with the age of the last change, then “Reconnecting” with its time', async () => {
  const { root, setView } = renderWatchPage(pageSeed('words'));
  setView({ changedAt: Date.now() - 2500 });
  await expect.poll(() => root.querySelector('.live-badge')?.textContent).toMatch(/^Livechanged [123] s ago$/);
  setView({ phase: 'reconnecting' });
  await expect.poll(() => root.querySelector('.live-badge')?.textContent).toMatch(/^Reconnecting\d\d:\d\d$/);
  await expect.poll(() => root.querySelector('[aria-label="Watched page"]')?.textContent).toContain('words');
});

test('when the link ends, the page’s content disappears at once', async () => {
  const { root, setView } = renderWatchPage(pageSeed('secret words'));
  await expect.poll(() => root.querySelector('[aria-label="Watched page"]')?.textContent).toContain('secret words');
  setView({ phase: 'ended', error: { code: 'WF009', detail: '' } });
  await expect.element(page.getByRole('heading', { name: 'This link no longer works.' })).toBeVisible();
  expect(root.textContent).not.toContain('secret');
  expect(root.textContent).not.toContain('Harbour');
  expect(root.querySelector('[aria-label="Watched page"]')).toBeNull();
});

test('a page that cannot be opened says why and offers to try again', async () => {
  const { setView, retries } = renderWatchPage(null);
  setView({ phase: 'failed', title: '', error: { code: 'WF011', detail: '' } });
  await userEvent.click(page.getByRole('button', { name: 'Try now' }));
  expect(retries()).toBe(1);
});

test('unsafe links are plain text, tasks cannot be ticked, and blocks of a newer version say so', async () => {
  const { root } = renderWatchPage(
    pageSeed(
      { text: 'a', marks: { link: { href: 'https://weft.dev' } } },
      { text: 'b', marks: { link: { href: 'javascript:alert(1)' } } },
      { kind: 'task', checked: true, text: 'c' },
      { node: 'hologram' },
    ),
  );
  await expect.element(region()).toBeVisible();
  expect([...root.querySelectorAll('.block a')].map((link) => link.outerHTML)).toEqual([
    '<a href="https://weft.dev" target="_blank" rel="noopener noreferrer nofollow">a</a>',
  ]);
  const box = root.querySelector('input');
  expect([box?.checked, box?.disabled]).toEqual([true, true]);
  expect(root.querySelector('.unsupported-block')?.textContent).toContain('newer version');
});

test('a button leads to a change outside the viewport; “Follow changes” scrolls to changes until the person scrolls', async () => {
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`);
  const { doc, root } = renderWatchPage(pageSeed('top', ...lines, { kind: 'heading', text: 'Tide check' }, 'the end'));
  await expect.element(region()).toBeVisible();
  await wait(50);
  othersType(doc, 62, 7, ', now');
  await userEvent.click(page.getByRole('button', { name: 'Changed in “Tide check”' }));
  const end = () => root.querySelector('.page-body > :last-child')?.getBoundingClientRect().top ?? 0;
  await expect.poll(end).toBeLessThan(800);
  await expect.poll(() => root.querySelector('.jump')).toBeNull();
  const follow = page.getByRole('button', { name: 'Follow changes' });
  await userEvent.click(follow);
  await expect.element(follow).toHaveAttribute('aria-pressed', 'true');
  othersType(doc, 0, 3, ' of the page');
  await expect.poll(() => root.querySelector('.block')?.getBoundingClientRect().top).toBeGreaterThan(0);
  root.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
  await expect.element(follow).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(follow);
  await expect.element(follow).toHaveAttribute('aria-pressed', 'true');
  // The window's scrollbar is outside of everything in the page.
  document.documentElement.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  await expect.element(follow).toHaveAttribute('aria-pressed', 'false');
});

test('the text size button cycles through the sizes', async () => {
  const { root } = renderWatchPage(pageSeed('words'));
  const size = () => Number.parseFloat(getComputedStyle(root.querySelector('.block-text') ?? root).fontSize);
  await expect.element(region()).toBeVisible();
  const sizes = [size()];
  for (let i = 0; i < 3; i++) {
    await userEvent.click(page.getByRole('button', { name: 'Text size' }));
    sizes.push(size());
  }
  expect(sizes).toEqual([17, 24, 36, 17]);
});

test('the size of the text is remembered', async () => {
  renderWatchPage(pageSeed('words'));
  await expect.element(region()).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Text size' }));
  expect(JSON.parse(localStorage.getItem('weft:reading') ?? 'null')).toMatchObject({ size: 'large' });
  changeReadingSettings({ size: 'normal' });
});

test('the menu of contents leads to a heading, and stops the marks of new words', async () => {
  const { doc, root } = renderWatchPage(
    pageSeed('Long ago.', ...Array.from({ length: 60 }, (_line, at) => `Line ${at}.`), {
      kind: 'heading',
      level: 2,
      text: 'Tide check',
    }),
  );
  await expect.element(region()).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Contents' }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Tide check' }));
  await expect.element(region().getByRole('heading', { name: 'Tide check' })).toBeInViewport();
  await userEvent.click(page.getByRole('button', { name: 'Contents' }));
  await userEvent.click(page.getByRole('menuitemcheckbox', { name: 'Mark new words' }));
  othersType(doc, 0, 4, ', very long');
  await expect.element(region().getByText('Long, very long ago.')).toBeInTheDocument();
  await wait(100);
  expect(root.querySelector('.fresh')).toBe(null);
  changeReadingSettings({ marksNewWords: true });
});

test('copied text has its marks and links and nothing that only this view shows', async () => {
  const { root } = renderWatchPage(pageSeed('Slip swept.', { kind: 'task', text: 'Buoys out' }));
  await expect.element(region()).toBeVisible();
  getSelection()?.selectAllChildren(root.querySelector('.page-body') ?? root);
  const clipboardData = new DataTransfer();
  root
    .querySelector('.block')
    ?.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
  expect(clipboardData.getData('text/html')).not.toMatch(/class=|style=|data-|<input|<button/);
  expect(clipboardData.getData('text/html')).toContain('<p>Slip swept.</p>');
  expect(clipboardData.getData('text/plain')).toMatch(/Slip swept\.\s+Buoys out/);
});

test('“Follow changes” is switched on and off by the keyboard', async () => {
  renderWatchPage(pageSeed('Wave 3 waits.'));
  const follow = page.getByRole('button', { name: 'Follow changes' });
  await expect.element(follow).toHaveAttribute('aria-pressed', 'false');
  follow.element().focus();
  await userEvent.keyboard(' ');
  await expect.element(follow).toHaveAttribute('aria-pressed', 'true');
  await userEvent.keyboard(' ');
  await expect.element(follow).toHaveAttribute('aria-pressed', 'false');
  await userEvent.keyboard('{Enter}');
  await expect.element(follow).toHaveAttribute('aria-pressed', 'true');
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('{PageDown}');
  await expect.element(follow).toHaveAttribute('aria-pressed', 'false');
});

test('words stop being new when others remove words beside them', async () => {
  const { doc, root } = renderWatchPage(pageSeed('Wave 3 waits.'));
  await expect.element(region()).toBeVisible();
  await wait(50);
  othersType(doc, 0, 13, ' Hold it.');
  await expect.poll(() => root.querySelector('.fresh')?.textContent).toBe(' Hold it.');
  const author = newDoc();
  Y.applyUpdate(author, Y.encodeStateAsUpdate(doc), REMOTE_ORIGIN);
  const node = bodyOf(author).get(0);
  const text = node instanceof Y.XmlElement ? node.get(0) : null;
  if (text instanceof Y.XmlText) text.delete(0, 5);
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(author), REMOTE_ORIGIN);
  await expect.poll(() => root.querySelector('.block-text')?.textContent).toBe('3 waits. Hold it.');
  await wait(2_000);
  expect(root.querySelector('.fresh')).toBeNull();
});
