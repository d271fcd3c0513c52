// A change of the page tree that the server rejected is said once, however often the workspace's layout mounts.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { RefusedChanges } from '../../../src/screens/workspace/refused-changes.tsx';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { appFixture, documentId } from '../../support/app/app-fixture.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

test('a rejected move is said once', async () => {
  const fixture = appFixture();
  let mountAgain: () => void = () => undefined;
  function Screens() {
    const [key, setKey] = useState(0);
    mountAgain = () => setKey(key + 1);
    return (
      <>
        <RefusedChanges key={key} />
        <Toasts />
      </>
    );
  }
  const { movePage } = await renderInApp(fixture, <Screens />);
  const said = () => screen.queryAllByText(/is back in its place/).length;
  fixture.server.refusals.set('moveDocument', weftError('WF002'));
  act(() => void movePage(documentId(1), { parent: documentId(2), after: null }));
  await advance(fixture, 2_000);
  expect(said()).toBe(1);
  fireEvent.click(screen.getByLabelText('Dismiss'));
  await waitFor(() => expect(said()).toBe(0));
  act(mountAgain);
  await advance(fixture, 100);
  expect(said()).toBe(0);
});
