// The screen of a page's history: its list and its states.
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plainRun, textBlock } from '../../../src/document/blocks/detached-block.ts';
import { elementsOfBlocks } from '../../../src/document/body/fill-page.ts';
import { bodyOf } from '../../../src/document/names.ts';
import { HistoryPage } from '../../../src/features/history/history-page.tsx';
import type { HistoryTools } from '../../../src/features/history/history-tools.ts';
import { ERROR_TEXTS, weftError } from '../../../src/protocol/errors.ts';
import type { Sitting } from '../../../src/protocol/history-answers.ts';
import { type VersionId, parseVersionId } from '../../../src/protocol/ids.ts';
import type { DocumentRole } from '../../../src/protocol/roles.ts';
import { AppContext, PersonContext } from '../../../src/state/hooks.ts';
import { type AppFixture, alice, appFixture, bob, documentId } from '../../support/app/app-fixture.ts';
import { advance, personOf } from '../../support/app/render-in-app.tsx';
import { Writer, sessionOf } from '../../support/editor/random-log.ts';

const DAY = 24 * 60 * 60_000;
const HOUR = DAY / 24;
const noon = new Date(2026, 5, 5, 12).getTime();

/** Rows become visible when an observer says so, which happy-dom never does. */
class SeenAtOnce {
  readonly #run: (entries: readonly { isIntersecting: boolean }[]) => void;
  constructor(run: (entries: readonly { isIntersecting: boolean }[]) => void) {
    this.#run = run;
  }
  observe() {
    this.#run([{ isIntersecting: true }]);
  }
  disconnect() {}
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  vi.stubGlobal('IntersectionObserver', SeenAtOnce);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Alice writes one line yesterday, and Bob another one today. */
function twoSittings({ history }: AppFixture): void {
  const [one, other] = [new Writer(1), new Writer(2)];
  const line = (words: string) => [...elementsOfBlocks([textBlock({}, [plainRun(words)])])];
  bodyOf(one.doc).insert(0, line('Slip swept and ropes down'));
  one.send(history.rows, noon - DAY);
  other.receive(history.rows);
  bodyOf(other.doc).insert(1, line('Two words'));
  other.send(history.rows, noon - 4 * HOUR);
  history.authors.set(sessionOf(1), alice.id).set(sessionOf(2), bob.id);
  history.sittings = [sittingOf(2, noon - 4 * HOUR, bob.id), sittingOf(1, noon - DAY, alice.id)];
}

function versionId(n: number): VersionId {
  const id = parseVersionId(`00000000-0000-4000-8000-00000000000${n}`);
  if (id === null) throw new Error('malformed id');
  return id;
}

const sittingOf = (seq: number, at: number, by: typeof alice.id): Sitting => ({
  fromSeq: seq,
  toSeq: seq,
  from: at,
  to: at,
  edits: 1,
  passedOn: 0,
  authors: [by],
});

async function openHistory(
  prepare: (fixture: AppFixture) => void = twoSittings,
  {
    role = 'editor',
    onCopy = vi.fn<NonNullable<HistoryTools['onCopy']>>(),
    moment = null,
  }: { role?: DocumentRole; onCopy?: HistoryTools['onCopy']; moment?: number | null } = {},
) {
  const fixture = appFixture({ view: { phase: 'ready', role, editable: role !== 'viewer' } });
  prepare(fixture);
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: page } = person.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  const onExport = vi.fn<HistoryTools['onExport']>();
  render(
    <MemoryRouter>
      <AppContext value={fixture.app}>
        <PersonContext value={person}>
          <HistoryPage
            page={page}
            tools={{
              address: '/w/northquay/p/1',
              title: 'Plan',
              moment,
              formats: [{ id: 'md', name: 'Markdown (.md)' }],
              onExport,
              onCopy,
            }}
          />
        </PersonContext>
      </AppContext>
    </MemoryRouter>,
  );
  await settle(fixture);
  return { fixture, onExport, onCopy };
}

async function settle(fixture: AppFixture): Promise<void> {
  for (let times = 0; times < 5; times++) {
    await advance(fixture, 50);
    await act(() => new Promise((done) => setTimeout(done, 5)));
  }
}

const list = () => screen.getByRole('list', { name: 'Versions' });
const items = () => within(list()).getAllByRole('listitem');
const region = () => screen.getByRole('region', { name: 'Page at this version' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });

test('versions stand under their days, with people and words', async () => {
  await openHistory();
  expect(items().map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^Today08:00\+2 words/),
    expect.stringMatching(/^Yesterday, .*12:00Page created · \+5 words/),
  ]);
  expect(items()[0]?.textContent).toContain('By Bob');
  expect(region().textContent).toContain('Two words');
  expect(within(region()).getByRole('insertion').getAttribute('title')).toMatch(/^Added by Bob Holm, Today, 08:00/);
});

test('choosing an older version shows the page as it was then', async () => {
  const { fixture, onCopy } = await openHistory();
  fireEvent.click(within(list()).getByRole('button', { name: /^12:00/ }));
  await settle(fixture);
  expect(region().textContent).not.toContain('Two words');
  expect(screen.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuetext')).toBe(
    'Yesterday, 12:00, edit 1 of 2',
  );
  fireEvent.click(button('Copy as new page'));
  await settle(fixture);
  expect(onCopy).toHaveBeenCalledOnce();
  fireEvent.click(button('Return to now'));
  await settle(fixture);
  expect(region().textContent).toContain('Two words');
});

test('a link to a moment shows it, and Return to now the page as it is', async () => {
  const { fixture } = await openHistory(twoSittings, { moment: 1 });
  expect(screen.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuenow')).toBe('1');
  expect(region().textContent).not.toContain('Two words');
  fireEvent.click(button('Return to now'));
  await settle(fixture);
  expect(region().textContent).toContain('Two words');
});

test('the list is filtered by person, and by name', async () => {
  const { fixture } = await openHistory((prepared) => {
    twoSittings(prepared);
    prepared.history.versions = [
      {
        id: versionId(1),
        document: documentId(1),
        seq: 1,
        name: 'To the committee',
        kind: 'named',
        createdBy: bob.id,
        createdAt: noon,
        at: noon - DAY,
      },
    ];
  });
  expect(items()).toHaveLength(3);
  fireEvent.click(button('Only named versions'));
  expect(items().map((item) => item.textContent)).toEqual([expect.stringContaining('named by Bob')]);
  fireEvent.click(button('Only named versions'));
  fireEvent.click(button(/^Whose versions/));
  await settle(fixture);
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'You' }));
  await settle(fixture);
  expect(items()).toHaveLength(1);
  expect(items()[0]?.textContent).toContain('Page created');
});

test('a viewer may not restore or name, and may see and compare', async () => {
  const { fixture } = await openHistory(twoSittings, { role: 'viewer', onCopy: null });
  expect(screen.queryByRole('button', { name: 'Restore page' })).toBe(null);
  expect(screen.queryByRole('button', { name: 'Copy as new page' })).toBe(null);
  fireEvent.click(within(list()).getByRole('button', { name: 'More for 08:00' }));
  await settle(fixture);
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Compare with this version']);
});

test('a new page has one version and a timeline that does not play', async () => {
  await openHistory((fixture) => {
    twoSittings(fixture);
    fixture.history.rows.splice(1);
    fixture.history.sittings = fixture.history.sittings.slice(1);
  });
  expect(items()).toHaveLength(1);
  expect(button('Play').hasAttribute('disabled')).toBe(true);
});

test('without the server the history says so, and is there when it answers', async () => {
  const { fixture } = await openHistory((prepared) => {
    twoSittings(prepared);
    prepared.history.error = weftError('WF011');
  });
  expect(screen.getByRole('heading', { name: 'The history needs the server' })).toBeDefined();
  fixture.history.error = null;
  fireEvent.click(button('Try now'));
  await settle(fixture);
  expect(region().textContent).toContain('Two words');
});

test.each([
  ['a row is missing', (fixture: AppFixture) => void fixture.history.rows.splice(0, 1), 'The history has a gap'],
  [
    'the page may not be read',
    (fixture: AppFixture) => void (fixture.history.error = weftError('WF001')),
    ERROR_TEXTS.WF001,
  ],
])('if %s, the screen says so and leads back to the page', async (_what, break_, title) => {
  await openHistory((fixture) => {
    twoSittings(fixture);
    break_(fixture);
  });
  expect(screen.getByRole('heading', { name: title })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to page' }).getAttribute('href')).toBe('/w/northquay/p/1');
});
