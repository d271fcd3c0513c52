import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { ProfileForm } from '../../../../src/features/account/profile/profile-form.tsx';
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
