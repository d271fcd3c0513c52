// Opening a link to edit: the page opens once its role is there, unless the person has left the screen.
import { act, cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { RedeemLink } from '../../../src/screens/link/redeem-link.tsx';
import { PersonContext } from '../../../src/state/hooks.ts';
import { appFixture, documentId, northquay, secret } from '../../support/app/app-fixture.ts';
import { advance, personOf } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function openLink() {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  let answer: () => void = () => undefined;
  vi.spyOn(person.directory, 'redeemLink').mockReturnValue(
    new Promise((resolve) => {
      answer = () => resolve(ok({ document: documentId(1), workspaceSlug: northquay.slug, role: 'editor' }));
    }),
  );
  const router = createMemoryRouter(
    [
      { path: '/s', element: <RedeemLink secret={secret('q')} /> },
      { path: '*', element: <main /> },
    ],
    { initialEntries: ['/s'] },
  );
  render(
    <StrictMode>
      <PersonContext value={person}>
        <RouterProvider router={router} />
      </PersonContext>
    </StrictMode>,
  );
  const redeem = async () => {
    await act(async () => answer());
    await advance(fixture, 2_000);
    return router.state.location.pathname;
  };
  return { router, redeem };
}

test('opens the page', async () => {
  const { redeem } = await openLink();
  expect(await redeem()).toContain(documentId(1));
});

test('does not open it after the person has gone elsewhere', async () => {
  const { router, redeem } = await openLink();
  await act(() => router.navigate('/account'));
  expect(await redeem()).toBe('/account');
});
