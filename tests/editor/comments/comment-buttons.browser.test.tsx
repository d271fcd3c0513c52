// Asking for a new comment: by key, and from each menu.
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page as screen, userEvent } from 'vitest/browser';
import { CommentBar } from '../../../src/editor/menus/comment-bar.tsx';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import type { PageTools } from '../../../src/editor/page-tools.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

beforeEach(() => screen.viewport(1280, 800));

/** `asked`: the anchor of the selection at each request. */
async function render(more: { readonly editable: boolean; readonly mayComment: boolean }) {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  const session = pageSession(pageSeed('the tide comes in', 'second', { node: 'divider' }));
  let tools: PageTools | null = null;
  const onTools = (now: PageTools | null) => {
    tools = now;
  };
  react.render(<PageEditor session={session} people={new Map()} {...more} onTools={onTools} />);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  await expect.poll(() => tools).not.toBeNull();
  const ready = tools as PageTools | null;
  if (ready === null) throw new Error('no tools');
  const marks = await ready.comments();
  expect(await ready.comments()).toBe(marks);
  const asked: unknown[] = [];
  const stop = ready.onComment(() => {
    const anchor = marks.anchorOfSelection();
    asked.push(anchor === null || anchor.kind === 'page' ? anchor : `${anchor.kind} ${anchor.quote}`);
  });
  return { session, asked, stop };
}

const body = () => screen.getByRole('textbox', { name: 'Page body' });
const selectWord = () => userEvent.dblClick(screen.getByText('the tide comes in'), { position: { x: 45, y: 12 } });
const COMMENT_KEY = '{Control>}{Alt>}m{/Alt}{/Control}';

test('Ctrl-Alt-M comments the selected words, and without any the block at the caret', async () => {
  const { asked, stop, session } = await render({ editable: true, mayComment: true });
  await selectWord();
  await userEvent.keyboard(COMMENT_KEY);
  await userEvent.keyboard('{ArrowRight}');
  await userEvent.keyboard(COMMENT_KEY);
  expect(asked).toEqual(['text tide', 'block the tide comes in']);
  stop();
  await userEvent.keyboard(COMMENT_KEY);
  expect(asked.length).toBe(2);
  expect(session.localUpdates).toEqual([]);
});

test('the bar at selected words, the menu of a block and the bar of phones offer it', async () => {
  const { asked } = await render({ editable: true, mayComment: true });
  await selectWord();
  await userEvent.click(
    screen.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Comment' }),
  );
  await userEvent.click(screen.getByText('second'));
  await userEvent.keyboard('{Control>}/{/Control}');
  await userEvent.click(screen.getByRole('menuitem', { name: /^Comment/ }));
  await screen.viewport(400, 800);
  await userEvent.click(screen.getByText('second'));
  await userEvent.click(screen.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Comment' }));
  expect(asked).toEqual(['text tide', 'block second', 'block second']);
});

test('no menu offers it to people who may not comment', async () => {
  await render({ editable: true, mayComment: false });
  await selectWord();
  await expect.element(screen.getByRole('toolbar', { name: 'Selected text' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Comment' }).query()).toBeNull();
});

test('people who may comment and not write have a bar with Comment alone, and the key', async () => {
  const { asked, session } = await render({ editable: false, mayComment: true });
  await selectWord();
  const bar = screen.getByRole('toolbar', { name: 'Selected text' });
  await expect.element(bar).toBeVisible();
  expect(bar.getByRole('button').elements().length).toBe(1);
  await userEvent.click(bar.getByRole('button', { name: 'Comment' }));
  await userEvent.keyboard(COMMENT_KEY);
  expect(asked).toEqual(['text tide', 'text tide']);
  await expect.element(body()).toHaveAttribute('contenteditable', 'false');
  expect(session.localUpdates).toEqual([]);
  getSelection()?.removeAllRanges();
  await expect.poll(() => bar.query()).toBeNull();
});

test('the key also works after a link led here, when the screen has the focus', async () => {
  const { asked } = await render({ editable: false, mayComment: true });
  await selectWord();
  const around = body().element().parentElement!;
  around.tabIndex = -1;
  around.focus();
  await userEvent.keyboard(COMMENT_KEY);
  expect(asked).toEqual(['text tide']);
});

test('their bar is at a block without words that is selected, too', async () => {
  const { asked } = await render({ editable: false, mayComment: true });
  await userEvent.click(body().element().lastElementChild!);
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
  expect(asked).toEqual(['block ']);
});

test('on a phone their bar is at the bottom of the screen', async () => {
  await screen.viewport(400, 800);
  const { asked } = await render({ editable: false, mayComment: true });
  await selectWord();
  const button = screen.getByRole('button', { name: 'Comment' });
  await userEvent.click(button);
  expect(asked).toEqual(['text tide']);
  const box = button.element().getBoundingClientRect();
  expect(box.bottom).toBeGreaterThan(700);
  expect(box.height).toBeGreaterThanOrEqual(44);
});

test('viewers have no bar at the words they select', async () => {
  await render({ editable: false, mayComment: false });
  await selectWord();
  await expect.poll(() => getSelection()?.toString()).toContain('tide');
  expect(screen.getByRole('toolbar').query()).toBeNull();
});

test('the bar is there for words that were selected before it was loaded', async () => {
  const page = openPage(pageSession(pageSeed('the tide comes in')), false);
  await userEvent.dblClick(screen.getByText('the tide comes in'), { position: { x: 45, y: 12 } });
  await expect.poll(() => page.editor.state.selection.empty).toBe(false);
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  react.render(<CommentBar editor={page.editor} comment={() => {}} />);
  await expect.element(screen.getByRole('button', { name: 'Comment' })).toBeVisible();
});
