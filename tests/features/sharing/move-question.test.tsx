import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { MoveQuestion } from '../../../src/features/sharing/move-question.tsx';
import { appFixture, bob, documentId } from '../../support/app/app-fixture.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function question(prepare: (fixture: ReturnType<typeof appFixture>) => void) {
  const fixture = appFixture();
  prepare(fixture);
  const [onMove, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()];
  await renderInApp(
    fixture,
    <MoveQuestion page={documentId(1)} parent={documentId(2)} onMove={onMove} onClose={onClose} />,
  );
  await advance(fixture, 100);
  return { onMove, onClose };
}

test('names who loses access, and moves only after an answer', async () => {
  const { onMove, onClose } = await question(({ access }) => access.losers.push(bob.id));
  const dialog = screen.getByRole('dialog', { name: 'Move “Plan for 14 June” to “Minutes”?' });
  expect(dialog.textContent).toContain('Bob Holm loses access at once.');
  expect(onMove).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect([onMove.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 1]);
  fireEvent.click(screen.getByRole('button', { name: 'Move page' }));
  expect(onMove).toHaveBeenCalledOnce();
});

test.each<[string, Parameters<typeof question>[0]]>([
  ['no one loses access', () => undefined],
  // The move waits on this device like any other.
  ['the server does not answer', ({ server }) => server.refusals.set('losersByMove', weftError('WF011'))],
])('moves without a question if %s', async (_why, prepare) => {
  const { onMove } = await question(prepare);
  expect(onMove).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).toBeNull();
});
