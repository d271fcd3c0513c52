import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { ProfileForm } from '../../../../src/features/account/profile/profile-form.tsx';
import { type Result, err, ok } from '../../../../src/lib/result.ts';
import type { Profile } from '../../../../src/protocol/answers.ts';
import { COLORS } from '../../../../src/protocol/colors.ts';
import { usePerson, useValue } from '../../../../src/state/hooks.ts';
import { PictureContext } from '../../../../src/ui/people/picture-source.ts';
import { alice, appFixture } from '../../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../../support/app/render-in-app.tsx';

afterEach(cleanup);

function OwnProfile() {
  const profile = useValue(usePerson().people.atom).get(alice.id);
  return profile === undefined ? null : <ProfileForm profile={profile} />;
}

async function renderForm() {
  const fixture = appFixture();
  await fixture.clock.run(10);
  await renderInApp(
    fixture,
    <PictureContext value={personOf(fixture).pictures}>
      <OwnProfile />
    </PictureContext>,
  );
  await advance(fixture, 100);
  const choose = async (type: string) => {
    const file = new File(['bytes'], 'me', { type });
    act(() => void fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file] } }));
    await advance(fixture, 100);
  };
  const tag = () => document.querySelector('.tag');
  return { fixture, choose, tag };
}

test('a picture replaces the initials, and removing it brings them back', async () => {
  const { fixture, choose, tag } = await renderForm();
  expect(tag()?.getAttribute('data-initials')).toBe('AN');
  await choose('image/png');
  expect(tag()?.querySelector('img')?.getAttribute('src')).toBe('blob:test');
  expect(tag()?.getAttribute('data-initials')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Remove picture' }));
  await advance(fixture, 100);
  expect(tag()?.getAttribute('data-initials')).toBe('AN');
  expect(fixture.server.calls.filter((call) => call === 'setPicture')).toHaveLength(2);
});

test('the focus stays beside the picture when the button that removes it goes', async () => {
  const { fixture, choose } = await renderForm();
  await choose('image/png');
  const remove = screen.getByRole('button', { name: 'Remove picture' });
  remove.focus();
  fireEvent.click(remove);
  const add = screen.getByRole('button', { name: 'Change picture' });
  expect([document.activeElement, add.getAttribute('aria-disabled')]).toEqual([add, 'true']);
  await advance(fixture, 100);
  expect([document.activeElement, add.textContent]).toEqual([add, 'Add picture']);
});

test('a file that is no picture, and a server that cannot be reached, are said beside the field', async () => {
  const { fixture, choose, tag } = await renderForm();
  await choose('text/plain');
  expect(screen.getByRole('alert').textContent).toContain('isn’t a picture');
  expect(fixture.server.calls).not.toContain('setPicture');
  fixture.server.refusal = weftError('WF011');
  await choose('image/png');
  expect(screen.getByRole('alert').textContent).toContain('Can’t reach the server');
  expect(tag()?.getAttribute('data-initials')).toBe('AN');
});

test('two saves that overlap: the second waits for the first, and is shown; if it fails, the first one is', async () => {
  const { fixture } = await renderForm();
  const person = personOf(fixture);
  const answers: ((answer: Result<Profile, WeftError>) => void)[] = [];
  const asked = vi
    .spyOn(person.directory, 'updateProfile')
    .mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  const shown = () => person.store.get(person.people.atom).get(alice.id)?.color;
  const before = shown();
  const [first, second] = COLORS.filter((color) => color !== before);
  if (first === undefined || second === undefined) throw new Error('there are more colors');
  for (const color of [first, second]) {
    fireEvent.click(screen.getByRole('radio', { name: color }));
    await advance(fixture, 10);
  }
  expect([asked.mock.calls.length, shown()]).toEqual([1, second]);
  answers[0]?.(ok({ id: alice.id, displayName: 'Alice Nwosu', color: first }));
  await advance(fixture, 10);
  expect([asked.mock.calls.map(([, color]) => color), shown()]).toEqual([[first, second], second]);
  answers[1]?.(err(weftError('WF011')));
  await advance(fixture, 10);
  expect(shown()).toBe(first);
});
