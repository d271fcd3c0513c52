// Renders a part of the app for the signed-in person, in the workspace of the fixture.
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { AppContext, PersonContext, WorkspaceContext } from '../../../src/state/hooks.ts';
import type { PersonState } from '../../../src/state/person/person-state.ts';
import type { OpenWorkspace } from '../../../src/state/workspace/open-workspace.ts';
import { type AppFixture, northquay } from './app-fixture.ts';

export function personOf({ app }: AppFixture): PersonState {
  const person = app.store.get(app.personAtom);
  if (person === null) throw new Error('no one is signed in');
  return person;
}

/** Advances the virtual clock, and lets React render what changed. */
export const advance = (fixture: AppFixture, ms: number) => act(() => fixture.clock.run(ms));

export async function renderInApp(fixture: AppFixture, children: ReactNode): Promise<OpenWorkspace> {
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: workspace } = person.workspaces.acquire(northquay.id);
  await fixture.clock.run(10);
  render(
    <MemoryRouter>
      <AppContext value={fixture.app}>
        <PersonContext value={person}>
          <WorkspaceContext value={workspace}>{children}</WorkspaceContext>
        </PersonContext>
      </AppContext>
    </MemoryRouter>,
  );
  return workspace;
}
