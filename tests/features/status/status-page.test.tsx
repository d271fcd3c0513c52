// The status page: what owners see of the server's set-up, and what others see.
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { StatusPage } from '../../../src/features/status/status-page.tsx';
import { GUESTS, SCHEMAS } from '../../../src/protocol/project-findings.ts';
import { appFixture, northquay } from '../../support/app/app-fixture.ts';
import { renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

const text = () => screen.getByRole('region', { name: 'Server' }).textContent;

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
