import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page as screen, userEvent } from 'vitest/browser';
import { PageEditor } from '../../src/editor/page-editor.tsx';
import type { PageTools } from '../../src/editor/page-tools.ts';
import { Toasts } from '../../src/ui/floating/toast.tsx';
import { idsOf, linesOf, openPage, wait } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../support/editor/page-session.ts';
import '../../src/ui/theme/tokens.css';
import '../../src/ui/theme/base.css';
import '../../src/ui/controls/controls.css';
import '../../src/ui/floating/floating.css';

beforeEach(async () => {
  localStorage.clear();
  await screen.viewport(1440, 800);
});

async function render(session: PageSession, more: { readonly editable?: boolean; readonly hash?: string } = {}) {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  const seen: { tools: PageTools | null; visited: string[] } = { tools: null, visited: [] };
  const target = { hash: more.hash ?? '' };
  react.render(
    <>
      <PageEditor
        session={session}
        people={new Map()}
        editable={more.editable ?? true}
        target={target}
        visit={(address) => seen.visited.push(address)}
        onTools={(tools) => {
          seen.tools = tools;
        }}
      />
      <Toasts />
    </>,
  );
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  await expect.poll(() => seen.tools).not.toBeNull();
  return { root, seen };
}

const body = () => screen.getByRole('textbox', { name: 'Page body' });
const bar = () => screen.getByRole('search', { name: 'Find in this page' });
const field = () => screen.getByRole('textbox', { name: 'Find', exact: true });

test('Ctrl-F finds the selected text; Enter goes to the next match, Escape selects the match in the text', async () => {
  const session = pageSession(pageSeed('tide in', 'no tide', 'Tide'));
  const { root } = await render(session);
  await userEvent.dblClick(screen.getByText('no tide'), { position: { x: 30, y: 12 } });
  await userEvent.keyboard('{Control>}f{/Control}');
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveValue('tide');
  await expect.element(bar()).toHaveTextContent('2 of 3');
  await userEvent.keyboard('{Enter}');
  await expect.element(bar()).toHaveTextContent('3 of 3');
  await userEvent.keyboard('{Shift>}{Enter}{Enter}{/Shift}');
  await expect.element(bar()).toHaveTextContent('1 of 3');
  expect(root.querySelector('.found.is-current')?.textContent).toBe('tide');
  await userEvent.keyboard('{Escape}x');
  expect(linesOf(session)).toEqual(['paragraph: x in', 'paragraph: no tide', 'paragraph: Tide']);
  expect(root.querySelector('.found')).toBeNull();
});

test('the find field has the focus before the Ctrl-F event ends: the next character goes to it, not to the page', async () => {
  const session = pageSession(pageSeed('words'));
  await render(session);
  await userEvent.click(body());
  const key = new KeyboardEvent('keydown', { key: 'f', code: 'KeyF', ctrlKey: true, bubbles: true, cancelable: true });
  body().element().dispatchEvent(key);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Find');
});

test('the bar reports an invalid pattern, and replaces all matches of a valid one', async () => {
  const session = pageSession(pageSeed('a1 b2', 'c3'));
  await render(session);
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}f{/Control}');
  await userEvent.click(screen.getByRole('button', { name: 'Regular expression' }));
  await userEvent.fill(field(), '([a-z]');
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true');
  await expect.element(screen.getByText('Invalid pattern')).toBeVisible();
  await userEvent.fill(field(), '([a-z])(\\d)');
  await expect.element(bar()).toHaveTextContent('1 of 3');
  await userEvent.click(screen.getByRole('button', { name: 'Show replace' }));
  await userEvent.fill(screen.getByRole('textbox', { name: 'Replace with' }), '$2$1');
  await userEvent.click(screen.getByRole('button', { name: 'All' }));
  expect(linesOf(session)).toEqual(['paragraph: 1a 2b', 'paragraph: 3c']);
  // The pressed button has no more matches: the focus moves to the field, and undo applies to the page.
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(linesOf(session)).toEqual(['paragraph: a1 b2', 'paragraph: c3']);
  await userEvent.keyboard('{Escape}');
  await userEvent.keyboard('{Control>}f{/Control}');
  await expect
    .element(screen.getByRole('button', { name: 'Regular expression' }))
    .toHaveAttribute('aria-pressed', 'true');
  await expect.element(bar()).toHaveTextContent('1 of 3');
});

test('in a read-only page the bar finds, but replaces nothing', async () => {
  const { seen } = await render(pageSession(pageSeed('tide')), { editable: false });
  seen.tools?.find();
  await userEvent.fill(field(), 'tide');
  await expect.element(bar()).toHaveTextContent('1 of 1');
  expect(screen.getByRole('button', { name: 'Show replace' }).query()).toBeNull();
});

const PAGE = pageSeed(
  { kind: 'heading', level: 1, text: 'Waves' },
  ...Array.from({ length: 40 }, (_, n) => `Line ${n}`),
  { kind: 'heading', level: 2, text: 'Tide check' },
  ...Array.from({ length: 60 }, (_, n) => `More ${n}`),
);

test('the outline follows the headings and highlights the current one; choosing one moves the caret there', async () => {
  const session = pageSession(PAGE);
  await render(session);
  const outline = screen.getByRole('navigation', { name: 'On this page' });
  await expect.element(outline).toBeVisible();
  await userEvent.click(outline.getByRole('button', { name: 'Tide check' }));
  await expect.element(outline.getByRole('button', { name: 'Tide check' })).toHaveAttribute('aria-current', 'location');
  await userEvent.keyboard('The ');
  expect(linesOf(session)).toContain('heading2: The Tide check');
  await expect.element(outline.getByRole('button', { name: 'The Tide check' })).toBeVisible();
  window.scrollTo(0, 0);
  await expect
    .poll(() => outline.element().querySelector('[aria-current]')?.textContent ?? 'none')
    .not.toContain('Tide');
});

test('narrow screens have no outline beside the page', async () => {
  await screen.viewport(1024, 800);
  const { root, seen } = await render(pageSession(PAGE));
  const outline = root.querySelector('.outline');
  expect(outline !== null && getComputedStyle(outline).display).toBe('none');
  expect(seen.tools?.headings().map(({ text, level }) => [text, level])).toEqual([
    ['Waves', 1],
    ['Tide check', 2],
  ]);
});

test('a link to a block scrolls to it and highlights it for a moment, and writes nothing', async () => {
  const session = pageSession(PAGE);
  const { root } = await render(session, { hash: '#b-line-70' });
  await expect.poll(() => root.querySelector('[data-target]')?.textContent).toBe('More 28');
  await expect
    .poll(() => root.querySelector('[data-target]')?.getBoundingClientRect().top ?? -1, { timeout: 3000 })
    .toBeLessThan(200);
  await expect.poll(() => root.querySelector('[data-target]'), { timeout: 4000 }).toBeNull();
  expect(session.localUpdates).toEqual([]);
});

test('a message says when a linked block is gone', async () => {
  await render(pageSession(PAGE), { hash: '#b-nothing' });
  await expect.element(screen.getByText('That block is no longer on this page.')).toBeVisible();
});

test('the block at the caret has a URL; a block without an id gets one only then', async () => {
  const session = pageSession(pageSeed('one', { id: 0, text: 'two' }));
  const { seen } = await render(session);
  await userEvent.click(screen.getByText('one'));
  expect(seen.tools?.addressOfBlock('http://weft/w/x/p/y')).toBe('http://weft/w/x/p/y#b-line-0');
  expect(session.localUpdates).toEqual([]);
  await userEvent.click(screen.getByText('two'));
  const address = seen.tools?.addressOfBlock('');
  expect(address).toMatch(/^#b-[0-9a-v]{12}$/);
  expect(`#b-${idsOf(session)[1]}`).toBe(address);
  expect(session.localUpdates.length).toBe(1);
});

test('counts of words and characters and the reading time are current', async () => {
  const { seen } = await render(pageSession(pageSeed('one two', 'three')));
  expect(await seen.tools?.counts()).toEqual({ words: 3, characters: 12, minutes: 1 });
});

test('a caret in a link shows the link’s actions, and hides them when it leaves the link', async () => {
  const session = pageSession(
    pageSeed({ text: 'to the plan', marks: { link: { href: '/w/crew/p/plan-1' } } }, 'elsewhere'),
  );
  const { seen } = await render(session);
  const card = screen.getByRole('toolbar', { name: 'Link' });
  await userEvent.click(screen.getByText('to the plan'), { position: { x: 30, y: 12 } });
  await expect.element(card).toBeVisible();
  await userEvent.click(card.getByRole('link', { name: 'Open page' }));
  expect(seen.visited).toEqual(['/w/crew/p/plan-1']);
  await userEvent.click(card.getByRole('button', { name: 'Edit link' }));
  await expect.element(screen.getByRole('combobox', { name: 'Link address' })).toHaveValue('/w/crew/p/plan-1');
  await userEvent.keyboard('{Control>}a{/Control}weft.dev{Enter}');
  expect(linesOf(session)[0]).toBe('paragraph: <https://weft.dev:to the plan>');
  await userEvent.keyboard('{ArrowLeft}{ArrowRight}');
  await userEvent.click(card.getByRole('button', { name: 'Remove link' }));
  expect(linesOf(session)[0]).toBe('paragraph: to the plan');
  await expect.poll(() => card.query()).toBeNull();
  await wait(10);
});

test('removing a link applies to the one at the caret, also after another person moved it', async () => {
  const seed = pageSeed({ text: 'link', marks: { link: { href: 'https://weft.dev' } } });
  const [session, mate] = [pageSession(seed), pageSession(seed)];
  connect(session, mate);
  await render(session);
  const b = openPage(mate);
  await userEvent.click(screen.getByText('link').first(), { position: { x: 10, y: 12 } });
  const card = screen.getByRole('toolbar', { name: 'Link' });
  await expect.element(card).toBeVisible();
  b.editor.view.dispatch(b.editor.state.tr.insertText('many words before the ', 1));
  await userEvent.click(card.getByRole('button', { name: 'Remove link' }));
  expect(linesOf(session)).toEqual(['paragraph: many words before the link']);
});

test('dragging the grip moves its block, a click on it opens the menu of the block', async () => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  await render(session);
  await userEvent.hover(screen.getByText('one'));
  const grip = screen.getByRole('button', { name: 'Move or change this block' });
  await userEvent.dragAndDrop(grip, screen.getByText('three'), { targetPosition: { x: 5, y: 25 } });
  const moved = ['paragraph: two', 'paragraph: three', 'paragraph: one'];
  await expect.poll(() => linesOf(session)).toEqual(moved);
  await userEvent.hover(screen.getByText('two'));
  await userEvent.click(grip);
  await expect.element(screen.getByRole('menu')).toBeVisible();
  expect(linesOf(session)).toEqual(moved);
});
