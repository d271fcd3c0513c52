// The screen in place of a page that cannot be watched.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { WatchView } from 'weft-sync/session/views.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { WatchEnded } from '../../../src/features/watching/watch-ended.tsx';
import { AppContext } from '../../../src/state/hooks.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';
import { appFixture } from '../../support/app/app-fixture.ts';

afterEach(cleanup);

function renderOutdated(isUnattended: boolean) {
  const reload = vi.fn<() => void>();
  const view: WatchView = {
    phase: 'failed',
    documentId: null,
    title: '',
    role: null,
    changedAt: null,
    error: weftError('WF004'),
    presenter: null,
    showsHistory: false,
    comments: null,
    rebuilds: 0,
  };
  const watch = {
    doc: newDoc(),
    shownSeq: 0,
    getView: () => view,
    subscribe: () => () => undefined,
    setStance() {},
    retry() {},
    close() {},
  };
  render(
    <AppContext value={{ ...appFixture().app, reload }}>
      <WatchEnded watch={watch} isUnattended={isUnattended} />
    </AppContext>,
  );
  return reload;
}

test('a page of a newer version of the app offers to reload: its watch session has ended', () => {
  const reload = renderOutdated(false);
  expect(screen.getByRole('heading', { name: ERROR_TEXTS.WF004 })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('a wall reloads by itself', () => {
  vi.useFakeTimers();
  const [attended, wall] = [renderOutdated(false), renderOutdated(true)];
  vi.advanceTimersByTime(61_000);
  expect([attended.mock.calls.length, wall.mock.calls.length]).toEqual([0, 1]);
  vi.useRealTimers();
});
