// The tags of the people on a page: a menu for each, a list for those without room, and the number of watchers by link.
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type PersonHere, PeopleRow } from '../../../src/features/presence/people-row.tsx';
import { MenuItem } from '../../../src/ui/floating/menu.tsx';
import { userId } from '../../support/app/app-fixture.ts';

afterEach(cleanup);

const person = (n: number, name: string, role: PersonHere['role'] = null): PersonHere => ({
  id: userId(n),
  name,
  color: 'rust',
  picture: null,
  role,
});
const SIX = ['Ada Nwosu', 'Bob Holm', 'Carol Ng', 'Dave Li', 'Erin Ode', 'Finn Roy'].map((name, at) =>
  person(at + 1, name),
);
const menuOf = ({ name }: PersonHere) => <MenuItem>Follow {name}</MenuItem>;
const actionOf = ({ name }: PersonHere) => <button type="button">Go with {name}</button>;

const show = (people: readonly PersonHere[], byLink = 0, followed: PersonHere | null = null) =>
  render(
    <PeopleRow
      people={people}
      isSomeoneUnnamed={false}
      isReceiptLong={false}
      followed={followed?.id ?? null}
      byLink={byLink}
      menuOf={menuOf}
      actionOf={actionOf}
    />,
  );
const names = () => screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));

test('each tag names its person, and says who only reads and whom one follows', () => {
  const [ada, reader] = [person(1, 'Ada Nwosu'), person(2, 'Tomás Rey', 'viewer')];
  show([ada, reader], 0, ada);
  expect(names()).toEqual(['Here now: Ada Nwosu, you follow them', 'Here now: Tomás Rey, viewing']);
  expect(document.querySelectorAll('[data-followed]').length).toBe(1);
  expect(document.querySelectorAll('[data-reading]').length).toBe(1);
});

test('a tag opens the menu of its person', async () => {
  show(SIX.slice(0, 2));
  screen.getByRole('button', { name: 'Here now: Bob Holm' }).click();
  expect((await screen.findByRole('menuitem')).textContent).toBe('Follow Bob Holm');
});

test('people without a tag, and the number of watchers by link, are in the list behind the tags', async () => {
  show(SIX, 3);
  expect(names().slice(4)).toEqual(['2 more, 3 watch by link']);
  screen.getByRole('button', { name: '2 more, 3 watch by link' }).click();
  const list = within(await screen.findByRole('dialog', { name: 'Here now' }));
  expect(list.getAllByRole('listitem').length).toBe(7);
  list.getByText('3 watch by link');
  list.getByRole('button', { name: 'Go with Finn Roy' });
});

test('the tag of a followed person is always among those in the bar', () => {
  show(SIX, 0, SIX[5] ?? null);
  expect(names()[3]).toBe('Here now: Finn Roy, you follow them');
});

test('watchers by link alone are counted too; with no one there is no row', () => {
  show([], 1);
  expect(names()).toEqual(['1 watches by link']);
  cleanup();
  show([]);
  expect(screen.queryByRole('group')).toBeNull();
});
