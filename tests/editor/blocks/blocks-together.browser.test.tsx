import { cleanup, render } from '@testing-library/react';
import type { Command } from '@tiptap/pm/state';
import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { setBlockAttributes, shiftIndent, toggleChecked, turnInto } from '../../../src/editor/blocks/block-commands.ts';
import { setCard, cardToLink } from '../../../src/editor/links/card-commands.ts';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import { type OpenedPage, linesOf } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { twoEditors } from '../../support/editor/two-people.ts';
import '../../support/app/patient-queries.ts';

afterEach(cleanup);

const run = (page: OpenedPage, command: Command) =>
  command(page.editor.state, page.editor.view.dispatch, page.editor.view);

/** Sets an attribute of the first block, as the menus do. */
const set =
  (attributes: Readonly<Record<string, string>>): Command =>
  (state, dispatch) => {
    const node = state.doc.child(0);
    dispatch?.(setBlockAttributes(state.tr, [{ node, at: 0, index: 0 }], attributes));
    return true;
  };

const together = (...lines: readonly PageLine[]) => twoEditors(pageSeed(...lines));

const ITEM = { kind: 'bullet', text: 'one two' };

test.each<[string, object, Command, string]>([
  ['ticks a task', { kind: 'task', text: 'one two' }, toggleChecked, 'taskx: one BBB two'],
  [
    'changes a callout’s kind',
    { kind: 'callout', tone: 'note', text: 'one two' },
    set({ tone: 'stop' }),
    'callout(stop): one BBB two',
  ],
  [
    'changes the language of code',
    { kind: 'code', language: 'js', text: 'one two' },
    set({ language: 'go' }),
    'code(go): one BBB two',
  ],
  ['makes a toggle', ITEM, turnInto({ kind: 'toggle' }), 'toggle: one BBB two'],
  ['makes a number', ITEM, turnInto({ kind: 'numbered' }), 'numbered: one BBB two'],
  ['makes a quote', ITEM, turnInto({ kind: 'quote' }), 'quote: one BBB two'],
  ['makes a callout', ITEM, turnInto({ kind: 'callout', tone: 'tip' }), 'callout(tip): one BBB two'],
  ['moves it out', { ...ITEM, indent: 2 }, shiftIndent(-1), 'bullet>1: one BBB two'],
])('[T1] one %s while another types in the block: both stay, in few bytes', (_name, line, act, drawn) => {
  const { alice, wire, a, b, agree } = together({ ...line }, 'next');
  wire.offline();
  a.caret(0, 0);
  run(a, act);
  b.caret(0, 4);
  b.type('BBB ');
  wire.online();
  expect(linesOf(alice)[0]).toBe(drawn);
  expect(alice.localUpdates.every((update) => update.length < 90)).toBe(true);
  agree();
});

test('two people tick the same task at once: it is ticked; one ticks and one unticks: they agree', () => {
  const { alice, wire, a, b, agree } = together({ kind: 'task', text: 'x' });
  for (const page of [a, b]) page.caret(0, 0);
  wire.offline();
  run(a, toggleChecked);
  run(b, toggleChecked);
  wire.online();
  expect(linesOf(alice)).toEqual(['taskx: x']);
  wire.offline();
  run(a, toggleChecked);
  run(b, toggleChecked);
  run(b, toggleChecked);
  wire.online();
  agree();
});

test('two people edit the title and the URL of one card at once: both stay', () => {
  const { wire, a, b, agree, alice } = together({ node: 'embed', url: 'https://weft.dev', title: 'Old' }, 'x');
  wire.offline();
  run(a, setCard(0, { url: 'https://weft.dev', title: 'New' }));
  run(b, setCard(0, { url: 'https://weft.dev/b', title: 'Old' }));
  wire.online();
  expect(linesOf(alice)[0]).toBe('embed New');
  expect(a.editor.state.doc.child(0).attrs['url']).toBe('https://weft.dev/b');
  agree();
  run(a, cardToLink(0));
  expect(linesOf(alice)[0]).toBe('paragraph: <https://weft.dev/b:New>');
  agree();
});

test('the type of a callout is chosen from a menu at its icon, with one attribute', async () => {
  const session = pageSession(pageSeed({ kind: 'callout', tone: 'note', text: 'mind' }, 'x'));
  const view = render(<PageEditor session={session} people={new Map()} editable />);
  await userEvent.click(view.getByRole('button', { name: 'Change callout type: Note' }));
  await userEvent.click(await view.findByRole('menuitem', { name: 'Warning' }));
  expect(linesOf(session)[0]).toBe('callout(care): mind');
  expect(session.localUpdates.length).toBe(1);
  expect(view.getByRole('button', { name: 'Change callout type: Warning' })).toBeDefined();
});

test('the language of code is searched and chosen with the keyboard alone', async () => {
  const session = pageSession(pageSeed({ kind: 'code', text: 'fn main() {}' }, 'x'));
  const view = render(<PageEditor session={session} people={new Map()} editable />);
  view.getByRole('button', { name: 'Language: Plain text' }).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Search languages');
  await userEvent.keyboard('rs{Enter}');
  expect(linesOf(session)[0]).toBe('code(rust): fn main() {}');
  await expect.poll(() => view.queryByRole('listbox')).toBeNull();
});

test('a link card is edited in its form: a wrong URL is reported, a valid one saved', async () => {
  const session = pageSession(pageSeed({ node: 'embed', url: 'https://weft.dev' }, 'x'));
  const view = render(<PageEditor session={session} people={new Map()} editable />);
  await userEvent.click(view.getByRole('button', { name: 'Edit link card: weft.dev' }));
  const address = await view.findByLabelText('Address');
  await userEvent.fill(address, 'javascript:alert(1)');
  await userEvent.click(view.getByRole('button', { name: 'Save' }));
  expect(view.getByRole('alert').textContent).toBe('An address starts with https://, mailto: or tel:.');
  await userEvent.fill(address, 'weft.dev/guide');
  await userEvent.fill(view.getByLabelText('Title'), 'The guide');
  await userEvent.click(view.getByRole('button', { name: 'Save' }));
  expect(linesOf(session)[0]).toBe('embed The guide');
  expect(view.container.querySelector('.block-card')?.getAttribute('href')).toBe('https://weft.dev/guide');
});

test('a link card that was just inserted asks for its address; the text goes on below it', async () => {
  const session = pageSession(pageSeed(''));
  const view = render(<PageEditor session={session} people={new Map()} editable />);
  await userEvent.click(view.container.querySelector('.block') ?? view.container);
  await userEvent.keyboard('/card{Enter}');
  await expect.poll(() => view.queryByLabelText('Address')).not.toBeNull();
  await expect.poll(() => document.activeElement).toBe(view.getByLabelText('Address'));
  await userEvent.keyboard('weft.dev{Enter}');
  expect(linesOf(session)).toEqual(['embed https://weft.dev', 'paragraph: ']);
  expect(view.container.querySelector('.block-card')?.getAttribute('href')).toBe('https://weft.dev');
  await expect.poll(() => view.queryByRole('dialog')).toBeNull();
});
