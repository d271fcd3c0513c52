import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PageEditor } from '../../src/editor/page-editor.tsx';
import { UiCommands } from '../../src/editor/ui-commands.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';

afterEach(cleanup);

const heard = (commands: UiCommands): string[] => {
  const types: string[] = [];
  commands.addEventListener('link', ({ type }) => types.push(type));
  return types;
};

// First in this file: the menus load once.
test('a click on a callout’s icon before the menus have loaded opens its menu once they have', async () => {
  const session = pageSession(pageSeed({ kind: 'callout', tone: 'note', text: 'mind' }, 'x'));
  const view = render(<PageEditor session={session} people={new Map()} editable />);
  view.getByRole('button', { name: 'Change callout type: Note' }).click();
  await expect.poll(() => view.queryByRole('menuitem', { name: 'Warning' })).not.toBeNull();
});

test('a command that nobody listens to waits for its listener, and runs once', () => {
  const commands = new UiCommands();
  commands.dispatchEvent(new Event('link'));
  expect(heard(commands)).toEqual(['link']);
  expect(heard(commands)).toEqual([]);
});

test('only the newest command waits', () => {
  const commands = new UiCommands();
  commands.dispatchEvent(new Event('link'));
  commands.dispatchEvent(new Event('find'));
  expect(heard(commands)).toEqual([]);
});

test.each(['keydown', 'pointerdown'])('a waiting command is forgotten at the next %s', (type) => {
  const commands = new UiCommands();
  commands.dispatchEvent(new Event('link'));
  document.body.dispatchEvent(new Event(type, { bubbles: true }));
  expect(heard(commands)).toEqual([]);
});

test('a command waits again when its listener has gone', () => {
  const commands = new UiCommands();
  const ignore = () => undefined;
  commands.addEventListener('link', ignore);
  commands.removeEventListener('link', ignore);
  commands.dispatchEvent(new Event('link'));
  expect(heard(commands)).toEqual(['link']);
});
