// Changes since the last visit, while the page is open.
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import type { ChangesSince } from '../../../src/ports/changes.ts';
import { useChangesSince } from '../../../src/screens/page/use-changes-since.ts';
import { AppContext, PersonContext } from '../../../src/state/hooks.ts';
import { appFixture, documentId } from '../../support/app/app-fixture.ts';
import { personOf } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

test('after words were erased for good, what was found before is not shown any more, and found again', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const found = (text: string): ChangesSince => ({
    steps: [{ key: '1.0', says: text }],
    isCut: false,
    marks: new Map(),
    texts: new Map(),
    touched: new Map(),
    visitAt: 0,
    lost: [],
  });
  const { resolve, promise } = Promise.withResolvers<ChangesSince>();
  const answers = [Promise.resolve(found('hunter2 removed')), promise];
  const changes = new Subscribable();
  const view = { rebuilds: 0 };
  const session = {
    documentId: documentId(1),
    subscribe: (run: () => void) => changes.subscribe(run),
    getView: () => view,
  };
  const lastVisit = { seenSeq: 1, seenAt: 0 };
  const shown = { ...person, changesSince: () => answers.shift() ?? Promise.resolve(null) };
  const { result } = renderHook(() => useChangesSince(session, lastVisit), {
    wrapper: ({ children }) => (
      <AppContext value={fixture.app}>
        <PersonContext value={shown}>{children}</PersonContext>
      </AppContext>
    ),
  });
  const says = () => result.current?.found.steps.map((step) => step.says);
  await act(async () => undefined);
  expect(says()).toEqual(['hunter2 removed']);
  act(() => {
    view.rebuilds = 1;
    changes.notify();
  });
  expect(says()).toBe(undefined);
  await act(async () => resolve(found('******* removed')));
  expect(says()).toEqual(['******* removed']);
});
