import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TrashPage } from '../../../src/features/trash/trash-page.tsx';
import type { DocumentSummary } from '../../../src/protocol/answers.ts';
import { weftError } from '../../../src/protocol/errors.ts';
import { alice, appFixture, documentId, northquay, pageSummary } from '../../support/app/app-fixture.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function renderTrash(prepare: (fixture: ReturnType<typeof appFixture>) => void = () => undefined) {
  const fixture = appFixture();
  fixture.server.documents.push(pageSummary(3, 'Ferry table', { trashedAt: Date.now(), trashedBy: alice.id }));
  prepare(fixture);
  const onRestored = vi.fn<(page: DocumentSummary) => void>();
  await renderInApp(fixture, <TrashPage onRestored={onRestored} />);
  await advance(fixture, 1_000);
  return { fixture, onRestored };
}

test('lists the pages in the trash, and restores one', async () => {
  const { fixture, onRestored } = await renderTrash();
  expect(screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent)).toEqual(['Ferry table']);
  expect(screen.getByText('30 days left')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }));
  await advance(fixture, 100);
  expect(onRestored).toHaveBeenCalledOnce();
  expect(screen.getByText('The trash is empty')).toBeDefined();
});

test('deletes for good only after a question', async () => {
  const { fixture } = await renderTrash();
  fireEvent.click(screen.getByRole('button', { name: 'Delete permanently' }));
  expect(fixture.server.calls).not.toContain('purgeDocument');
  fireEvent.click(screen.getByRole('button', { name: 'Delete page' }));
  await advance(fixture, 100);
  expect(fixture.server.documents.map(({ id }) => id)).not.toContain(documentId(3));
});

test('what others trash appears without a reload; a failed load can be tried again', async () => {
  const { fixture } = await renderTrash(({ server }) => server.refusals.set('trash', weftError('WF011')));
  expect(screen.getByText('The trash is not on this device.')).toBeDefined();
  fixture.server.refusals.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
  await advance(fixture, 100);
  fixture.server.documents.push(pageSummary(4, 'Old plan', { trashedAt: Date.now(), trashedBy: alice.id }));
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'trashed', id: documentId(4), workspace: northquay.id }));
  await advance(fixture, 100);
  expect(screen.getByText('Old plan')).toBeDefined();
});
