// The status page: what owners see of the server's set-up, what others see, and how live updates fare.
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { StatusPage } from '../../../src/features/status/status-page.tsx';
import { GUESTS, SCHEMAS } from '../../../src/texts/project-findings.ts';
import { appFixture, documentId, northquay } from '../../support/app/app-fixture.ts';
import { personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

const text = (region = 'Server') => screen.getByRole('region', { name: region }).textContent;

test('shows owners what is fine and what to do, in words', async () => {
  const fixture = appFixture();
  fixture.server.findings = [SCHEMAS.right, GUESTS.refused];
  await act(() => renderInApp(fixture, <StatusPage />));
  expect(screen.getByRole('status').textContent).toBe('To do: 1');
  const items = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(items[0]).toContain('Exposed schemas Fine');
  expect(items[1]).toContain('Guests To do');
  expect(items[1]).toContain('Dashboard → Authentication');
});

test('checks again', async () => {
  const fixture = appFixture();
  fixture.server.findings = [GUESTS.refused];
  await act(() => renderInApp(fixture, <StatusPage />));
  fixture.server.findings = [GUESTS.right];
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Check again' })));
  expect(screen.getByRole('status').textContent).toBe('The server is set up as Weft needs it.');
});

test('shows nothing of the set-up to people who own no workspace', async () => {
  const fixture = appFixture({ workspaces: [{ ...northquay, role: 'member' }] });
  fixture.server.findings = [GUESTS.refused];
  await act(() => renderInApp(fixture, <StatusPage />));
  expect(text()).toBe('ServerOnly people who own a workspace see how the server is set up.');
});

test('says that nothing has been edited together yet, to everyone', async () => {
  const fixture = appFixture({ workspaces: [{ ...northquay, role: 'member' }] });
  await act(() => renderInApp(fixture, <StatusPage />));
  expect(text('Live updates')).toBe('Live updatesNothing has been edited together in this tab yet.');
});

test('says how many edits of others came live, and why own edits went out only as rows, of pages closed since too', async () => {
  const fixture = appFixture();
  const { release } = personOf(fixture).pages.acquire(documentId(1));
  await fixture.clock.run(10);
  const session = fixture.sessions.get(documentId(1));
  const live = session?.liveDiagnostics();
  if (session === undefined || live === undefined) throw new Error('the page is not open');
  for (const withoutText of ['crowded', null, 'crowded'] as const) {
    session.liveDiagnostics = () => ({ ...live, withoutText, others: 40, shownLive: 1_204, shownByRow: 6 });
    session.setView({ unsent: { edits: 1, oldestAt: 5 } });
  }
  release();
  await fixture.clock.run(5_000);
  await act(() => renderInApp(fixture, <StatusPage />));
  const facts = screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(facts).toEqual([
    ['Others’ edits shown live', '1,204 of 1,210'],
    ['Many people writing', '2 times'],
  ]);
});
