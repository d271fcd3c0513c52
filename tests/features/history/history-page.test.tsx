// The screen of a page's history: its list and its states.
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import * as Y from 'yjs';
import { HistoryPage } from '../../../src/features/history/history-page.tsx';
import type { HistoryTools } from '../../../src/features/history/history-tools.ts';
import { LinkHistoryPage } from '../../../src/features/history/link-history-page.tsx';
import { err, ok } from '../../../src/lib/result.ts';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import type { EditingSession, Version } from '../../../src/protocol/history-answers.ts';
import { type VersionId, parseLinkSecret, parseVersionId } from '../../../src/protocol/ids.ts';
import { AppContext, PersonContext } from '../../../src/state/hooks.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { type AppFixture, alice, appFixture, bob, documentId } from '../../support/app/app-fixture.ts';
import { advance, personOf } from '../../support/app/render-in-app.tsx';
import { Writer, sessionOf } from '../../support/editor/random-log.ts';
import { textAt } from '../../support/editor/visible-characters.ts';

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
function twoEditingSessions({ history }: AppFixture): void {
  const [one, other] = [new Writer(1), new Writer(2)];
  const line = (words: string) => [...elementsOfBlocks([textBlock({}, [plainRun(words)])])];
  bodyOf(one.doc).insert(0, line('Slip swept and ropes down'));
  one.send(history.rows, noon - DAY);
  other.receive(history.rows);
  bodyOf(other.doc).insert(1, line('Two words'));
  other.send(history.rows, noon - 4 * HOUR);
  history.authors.set(sessionOf(1), alice.id).set(sessionOf(2), bob.id);
  history.editingSessions = [editingSessionOf(2, noon - 4 * HOUR, bob.id), editingSessionOf(1, noon - DAY, alice.id)];
}

function versionId(n: number): VersionId {
  const id = parseVersionId(`00000000-0000-4000-8000-00000000000${n}`);
  if (id === null) throw new Error('malformed id');
  return id;
}

const editingSessionOf = (seq: number, at: number, by: typeof alice.id): EditingSession => ({
  fromSeq: seq,
  toSeq: seq,
  from: at,
  to: at,
  edits: 1,
  passedOn: 0,
  authors: [by],
});

async function openHistory(
  prepare: (fixture: AppFixture) => void = twoEditingSessions,
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
  const versionChanges = new Subscribable();
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
              watchVersions: versionChanges.subscribe,
            }}
          />
        </PersonContext>
      </AppContext>
    </MemoryRouter>,
  );
  await settle(fixture);
  return {
    fixture,
    doc: () => person.store.get(page.sessionAtom)?.doc ?? new Y.Doc(),
    onExport,
    onCopy,
    versionChanges,
  };
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
  const { fixture } = await openHistory(twoEditingSessions, { moment: 1 });
  expect(screen.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuenow')).toBe('1');
  expect(region().textContent).not.toContain('Two words');
  fireEvent.click(button('Return to now'));
  await settle(fixture);
  expect(region().textContent).toContain('Two words');
});

test('the list is filtered by person, and by name', async () => {
  const { fixture } = await openHistory((prepared) => {
    twoEditingSessions(prepared);
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

/** Alice writes a line; Bob removes two ranges of it, and adds a word. */
function removedTwice({ history }: AppFixture): void {
  history.rows.length = 0;
  const [one, other] = [new Writer(1), new Writer(2)];
  const line = [...elementsOfBlocks([textBlock({}, [plainRun('Slip swept early and both ropes down.')])])];
  bodyOf(one.doc).insert(0, line);
  one.send(history.rows, noon - DAY);
  other.receive(history.rows);
  const block = bodyOf(other.doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  text.delete(11, 6);
  text.delete(15, 5);
  other.send(history.rows, noon - 4 * HOUR);
  history.authors.set(sessionOf(1), alice.id).set(sessionOf(2), bob.id);
  history.editingSessions = [editingSessionOf(2, noon - 4 * HOUR, bob.id), editingSessionOf(1, noon - DAY, alice.id)];
}

const restoreVersions = ({ history }: AppFixture) => history.versions.filter(({ kind }) => kind === 'restore');

test('words that someone removed are restored by themselves: by keys, by a click, once', async () => {
  const { fixture, doc } = await openHistory(removedTwice);
  for (const row of fixture.history.rows) Y.applyUpdate(doc(), row.update);
  const session = fixture.sessions.get(documentId(1));
  if (session !== undefined) session.shownSeq = 2;
  await settle(fixture);
  expect(screen.queryByRole('button', { name: 'Restore these words' })).toBe(null);
  fireEvent.keyDown(document.body, { key: 'n' });
  await settle(fixture);
  expect(button('Restore this block')).toBeDefined();
  fireEvent.click(within(region()).getByText('both', { exact: false, selector: 'del' }));
  await settle(fixture);
  expect(document.querySelector('del[data-current]')?.textContent?.trim()).toBe('both');
  fireEvent.click(button('Restore these words'));
  await settle(fixture);
  expect(bodyText(doc()).trim()).toBe('Slip swept and both ropes down.');
  expect(restoreVersions(fixture)).toHaveLength(1);
  fireEvent.click(button('Restore these words'));
  await settle(fixture);
  expect(bodyText(doc()).trim()).toBe('Slip swept and both ropes down.');
  // A restore that changes nothing leaves no version behind.
  expect(restoreVersions(fixture)).toHaveLength(1);
});

test('Undo in the message after a restore takes it back, and after a rebuild of the page says that it can’t', async () => {
  const { fixture, doc } = await openHistory(removedTwice);
  render(<Toasts />);
  for (const row of fixture.history.rows) Y.applyUpdate(doc(), row.update);
  const session = fixture.sessions.get(documentId(1));
  if (session === undefined) throw new Error('the page is not open');
  session.shownSeq = 2;
  await settle(fixture);
  const restore = async () => {
    fireEvent.click(within(region()).getByText('both', { exact: false, selector: 'del' }));
    await settle(fixture);
    fireEvent.click(button('Restore these words'));
    await settle(fixture);
    expect(bodyText(doc()).trim()).toBe('Slip swept and both ropes down.');
  };
  await restore();
  fireEvent.click(button('Undo'));
  await settle(fixture);
  expect(bodyText(doc()).trim()).toBe('Slip swept and ropes down.');
  await restore();
  const rebuilt = new Y.Doc();
  Y.applyUpdate(rebuilt, Y.encodeStateAsUpdate(doc()));
  Object.assign(session, { doc: rebuilt });
  fireEvent.click(button('Undo'));
  await settle(fixture);
  expect(screen.getByText(/^This can’t be undone any more\./)).toBeDefined();
  expect(bodyText(rebuilt).trim()).toBe('Slip swept and both ropes down.');
});

test('where the words are all that changed, only they are offered; a viewer gets no button', async () => {
  const prepare = (prepared: AppFixture) => {
    removedTwice(prepared);
    // Bob removes only the first ones.
    prepared.history.rows.splice(1);
    const other = new Writer(2);
    other.receive(prepared.history.rows);
    const block = bodyOf(other.doc).get(0);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    if (text instanceof Y.XmlText) text.delete(11, 6);
    other.send(prepared.history.rows, noon - 4 * HOUR);
  };
  const { fixture } = await openHistory(prepare);
  fireEvent.keyDown(document.body, { key: 'n' });
  await settle(fixture);
  expect(button('Restore these words')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Restore this block' })).toBe(null);
  cleanup();
  const viewer = await openHistory(prepare, { role: 'viewer' });
  fireEvent.keyDown(document.body, { key: 'n' });
  await settle(viewer.fixture);
  expect(screen.queryByRole('button', { name: /^Restore/ })).toBe(null);
});

const PASSWORD = 'hunter2';
const BEGINNING = { seq: 3, at: noon - 2 * HOUR, by: alice.id, authors: [alice.id, bob.id] };

/** Bob writes the password, and Alice erases it if `isErased`: then one row stands for the others. */
const passwordLog = (isErased: boolean) => (fixture: AppFixture) => {
  const { history } = fixture;
  history.rows.length = 0;
  const [one, other] = [new Writer(1), new Writer(2)];
  const line = (words: string) => [...elementsOfBlocks([textBlock({}, [plainRun(words)])])];
  bodyOf(one.doc).insert(0, line('Slip swept'));
  one.send(history.rows, noon - DAY);
  other.receive(history.rows);
  bodyOf(other.doc).insert(1, line(PASSWORD));
  other.send(history.rows, noon - 4 * HOUR);
  history.authors.set(sessionOf(1), alice.id).set(sessionOf(2), bob.id);
  history.editingSessions = isErased
    ? []
    : [editingSessionOf(2, noon - 4 * HOUR, bob.id), editingSessionOf(1, noon - DAY, alice.id)];
  history.beginning = isErased ? BEGINNING : null;
  if (!isErased) return;
  textAt(other.doc, 1).delete(0, PASSWORD.length);
  const update = new Uint8Array(Y.encodeStateAsUpdate(other.doc));
  const row = { session: SEED_SESSION, clientId: 1, nFrom: 1, nTo: 1, update, dependencies: [] };
  history.rows.splice(0, 2, { ...row, seq: 3, at: BEGINNING.at, firstSeq: 1, firstAt: noon - DAY });
};

test('that words were erased for good stands in the list under its day, and on the timeline', async () => {
  const { fixture } = await openHistory(passwordLog(true));
  expect(items().map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^TodayWords erased from history10:00 · by you/),
  ]);
  expect(within(items()[0] ?? list()).queryByRole('button', { name: /^More/ })).toBe(null);
  expect(document.querySelectorAll('.weave-erased')).toHaveLength(1);
  expect(screen.getByText(/It begins where words were erased from it\./)).toBeDefined();
  fireEvent.click(within(list()).getByRole('button', { name: /^Words erased from history/ }));
  await settle(fixture);
  expect(region().textContent).toContain('Slip swept');
  expect(region().textContent).not.toContain(PASSWORD);
  expect(document.querySelector('.moment')?.textContent).toBe(
    'Words erased from history· Today, 10:00 by you · The page’s history starts here · Written until then by You and Bob',
  );
  fireEvent.click(button('Only named versions'));
  expect(screen.getByText('No named versions yet.')).toBeDefined();
});

test('words that are erased while the history is open leave what it shows, and the place of the reader stays', async () => {
  const { fixture, doc } = await openHistory(passwordLog(false));
  fireEvent.click(button('Plain'));
  await settle(fixture);
  expect(region().textContent).toContain(PASSWORD);
  passwordLog(true)(fixture);
  // The page is built anew, as in every open tab.
  bodyOf(doc()).insert(0, [new Y.XmlElement('divider')]);
  await act(() => new Promise((done) => setTimeout(done, 700)));
  await settle(fixture);
  expect(region().textContent).toContain('Slip swept');
  expect(document.body.textContent).not.toContain(PASSWORD);
  expect(items()[0]?.textContent).toContain('Words erased from history');
  expect(button('Plain').getAttribute('aria-pressed')).toBe('true');
});

test('what is read stays on the screen while the server is away', async () => {
  const { fixture, doc } = await openHistory();
  fireEvent.click(within(list()).getByRole('button', { name: /^12:00/ }));
  await settle(fixture);
  fixture.history.error = weftError('WF011');
  bodyOf(doc()).insert(0, [new Y.XmlElement('divider')]);
  await act(() => new Promise((done) => setTimeout(done, 700)));
  await settle(fixture);
  expect(region().textContent).toContain('Slip swept');
  expect(screen.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuenow')).toBe('1');
});

test('undoing a person’s edits of which nothing is left says so instead of asking', async () => {
  const { fixture } = await openHistory((prepared) => {
    twoEditingSessions(prepared);
    const { rows } = prepared.history;
    const other = new Writer(1);
    // Alice's own rows are hers again.
    for (const { update } of rows) Y.applyUpdate(other.doc, update, 'row');
    bodyOf(other.doc).delete(1, 1);
    other.send(rows, noon - 3 * HOUR);
  });
  fireEvent.click(within(list()).getByRole('button', { name: 'More for 08:00' }));
  await settle(fixture);
  fireEvent.click(screen.getByRole('menuitem', { name: /^Undo everything by Bob/ }));
  await settle(fixture);
  expect(screen.queryByRole('group', { name: 'Undo a person’s edits' })).toBe(null);
});

test.each([
  ['tooSlow', 'This can’t be undone here: the page takes too long to compute.'],
  ['failed', 'This can’t be undone here.'],
] as const)('if undoing a person’s edits is %s, a message says so', async (failure, message) => {
  const { fixture } = await openHistory();
  render(<Toasts />);
  fireEvent.click(within(list()).getByRole('button', { name: 'More for 08:00' }));
  await settle(fixture);
  fixture.history.jobFailure = failure;
  fireEvent.click(screen.getByRole('menuitem', { name: /^Undo everything by Bob/ }));
  await settle(fixture);
  expect(screen.getByText(message)).toBeDefined();
});

test('the question about undoing a person’s edits does not open over what the reader went on to', async () => {
  const { fixture } = await openHistory(twoEditingSessions);
  const question = () => screen.queryByRole('group', { name: 'Undo a person’s edits' });
  const askUndo = async () => {
    fireEvent.click(within(list()).getByRole('button', { name: 'More for 08:00' }));
    await settle(fixture);
    fireEvent.click(screen.getByRole('menuitem', { name: /^Undo everything by Bob/ }));
  };
  await askUndo();
  await settle(fixture);
  expect(question()).not.toBe(null);
  await askUndo();
  fireEvent.click(within(list()).getByRole('button', { name: /^12:00/ }));
  await settle(fixture);
  expect(question()).toBe(null);
});

test('a mode that is chosen ends the preview of an undo', async () => {
  const { fixture } = await openHistory(twoEditingSessions);
  fireEvent.click(within(list()).getByRole('button', { name: 'More for 08:00' }));
  await settle(fixture);
  fireEvent.click(screen.getByRole('menuitem', { name: /^Undo everything by Bob/ }));
  await settle(fixture);
  expect(screen.getByRole('group', { name: 'Undo a person’s edits' })).toBeDefined();
  fireEvent.click(button('Plain'));
  await settle(fixture);
  expect(screen.queryByRole('group', { name: 'Undo a person’s edits' })).toBe(null);
});

test('an action that fails after the reader has left the history says nothing', async () => {
  const { fixture, onExport } = await openHistory();
  fixture.history.jobFailure = 'failed';
  fireEvent.click(within(list()).getByRole('button', { name: 'More for 08:00' }));
  await settle(fixture);
  fireEvent.click(screen.getByRole('menuitem', { name: /^Undo everything by Bob/ }));
  cleanup();
  render(<Toasts />);
  await settle(fixture);
  expect(screen.queryByText('This can’t be undone here.')).toBe(null);
  expect(onExport).not.toHaveBeenCalled();
});

const named = (id: number, name: string): Version => ({
  id: versionId(id),
  document: documentId(1),
  seq: 1,
  name,
  kind: 'named',
  createdBy: bob.id,
  createdAt: noon,
  at: noon - DAY,
});

test('a version that someone else names appears while the history is open', async () => {
  const { fixture, versionChanges } = await openHistory();
  fixture.history.versions = [named(1, 'To the committee')];
  act(() => versionChanges.notify());
  await settle(fixture);
  expect(items().map((item) => item.textContent)).toContainEqual(expect.stringContaining('To the committee'));
});

test('an older answer about versions does not replace a newer one', async () => {
  const { fixture, versionChanges } = await openHistory();
  const answers: (() => void)[] = [];
  vi.spyOn(personOf(fixture).histories, 'versions').mockImplementation(() => {
    const versions = [named(1, answers.length === 0 ? 'The first answer' : 'The second answer')];
    return new Promise((resolve) => answers.push(() => resolve(ok(versions))));
  });
  act(() => versionChanges.notify());
  act(() => versionChanges.notify());
  for (const answer of answers.toReversed()) {
    answer();
    await settle(fixture);
  }
  expect([answers.length, list().textContent]).toEqual([2, expect.stringContaining('The second answer')]);
});

test('by link no one is named, and a version that is named meanwhile appears within a minute', async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: noon });
  const fixture = appFixture({ view: { phase: 'ready', role: 'viewer' } });
  passwordLog(true)(fixture);
  const secret = parseLinkSecret('a'.repeat(22));
  if (secret === null) throw new Error('malformed secret');
  const person = personOf(fixture);
  const { value: page } = person.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  const watch = person.store.get(page.sessionAtom);
  if (watch === null) throw new Error('the page is not open');
  render(
    <MemoryRouter>
      <AppContext value={fixture.app}>
        <LinkHistoryPage
          {...{ secret, watch }}
          files={page.files}
          documentId={documentId(1)}
          address="/s#secret"
          title="Plan"
          moment={null}
        />
      </AppContext>
    </MemoryRouter>,
  );
  await settle(fixture);
  expect(items()[0]?.textContent).toBe('TodayWords erased from history10:00');
  expect(document.body.textContent).not.toMatch(/Alice|Bob|you/);
  fixture.history.versions = [named(1, 'To the committee')];
  await act(() => vi.advanceTimersByTime(60_000));
  await settle(fixture);
  expect(items().map((item) => item.textContent)).toContainEqual(expect.stringContaining('To the committee'));
});

test('a viewer may not restore or name, and may see and compare', async () => {
  const { fixture } = await openHistory(twoEditingSessions, { role: 'viewer', onCopy: null });
  expect(screen.queryByRole('button', { name: 'Restore page' })).toBe(null);
  expect(screen.queryByRole('button', { name: 'Copy as new page' })).toBe(null);
  fireEvent.click(within(list()).getByRole('button', { name: 'More for 08:00' }));
  await settle(fixture);
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Compare with this version']);
});

test('a new page has one version and a timeline that does not play', async () => {
  await openHistory((fixture) => {
    twoEditingSessions(fixture);
    fixture.history.rows.splice(1);
    fixture.history.editingSessions = fixture.history.editingSessions.slice(1);
  });
  expect(items()).toHaveLength(1);
  expect(button('Play').hasAttribute('disabled')).toBe(true);
});

test('without the server the history says so, and is there when it answers', async () => {
  const { fixture } = await openHistory((prepared) => {
    twoEditingSessions(prepared);
    prepared.history.error = weftError('WF011');
  });
  expect(screen.getByRole('heading', { name: 'The history needs the server' })).toBeDefined();
  fixture.history.error = null;
  fireEvent.click(button('Try now'));
  await settle(fixture);
  expect(region().textContent).toContain('Two words');
});

test('without the names of its people the history waits for the server', async () => {
  const { fixture } = await openHistory((prepared) => {
    twoEditingSessions(prepared);
    prepared.history.authorsError = weftError('WF011');
  });
  expect(screen.getByRole('heading', { name: 'The history needs the server' })).toBeDefined();
  fixture.history.authorsError = null;
  fireEvent.click(button('Try now'));
  await settle(fixture);
  expect(within(region()).getByRole('insertion').getAttribute('title')).toMatch(/^Added by Bob Holm/);
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
    twoEditingSessions(fixture);
    break_(fixture);
  });
  expect(screen.getByRole('heading', { name: title })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to page' }).getAttribute('href')).toBe('/w/northquay/p/1');
});

/** Alice writes a word every ten seconds. */
function manyRows({ history }: AppFixture): void {
  const one = new Writer(1);
  for (let n = 0; n < 6; n++) {
    bodyOf(one.doc).insert(n, [...elementsOfBlocks([textBlock({}, [plainRun(`word${n}`)])])]);
    one.send(history.rows, noon - HOUR + n * 10_000);
  }
  history.authors.set(sessionOf(1), alice.id);
  history.editingSessions = [{ ...editingSessionOf(1, noon - HOUR, alice.id), toSeq: 6 }];
}

const frames = (ms: number) => act(() => new Promise((done) => setTimeout(done, ms)));
const shownSeq = () => screen.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuenow');

test('Return to now ends playing', async () => {
  const { fixture } = await openHistory(manyRows);
  fireEvent.click(button('Play'));
  await frames(200);
  expect(shownSeq()).not.toBe('6');
  fireEvent.click(button('Return to now'));
  await frames(200);
  await settle(fixture);
  expect(shownSeq()).toBe('6');
  expect(button('Play')).toBeDefined();
});

test('a version that is chosen while the page is played stays', async () => {
  const { fixture } = await openHistory((prepared) => {
    manyRows(prepared);
    prepared.history.versions = [{ ...named(1, 'To the committee'), seq: 5 }];
  });
  fireEvent.click(button('Play'));
  await frames(100);
  fireEvent.click(within(list()).getByRole('button', { name: /^To the committee/ }));
  await frames(200);
  await settle(fixture);
  expect(shownSeq()).toBe('5');
  expect(button('Play')).toBeDefined();
});

test('older versions that could not be loaded are not asked for again until someone tries', async () => {
  const { fixture } = await openHistory();
  const newest = Array.from({ length: 30 }, (_, n) => editingSessionOf(31 - n, noon - n * HOUR, alice.id));
  let isAway = true;
  let calls = 0;
  Object.assign(personOf(fixture).histories, {
    async editingSessions(_document: unknown, before: number | null) {
      if (before === null) return ok(newest);
      calls += 1;
      await new Promise((done) => setTimeout(done, 2));
      return isAway ? err(weftError('WF011')) : ok([editingSessionOf(1, noon - DAY, alice.id)]);
    },
  });
  fireEvent.click(button(/^Whose versions/));
  await settle(fixture);
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'You' }));
  await settle(fixture);
  await settle(fixture);
  expect(calls).toBe(1);
  expect(screen.getByRole('alert').textContent).toContain(ERROR_TEXTS.WF011);
  expect(items()).toHaveLength(30);
  isAway = false;
  fireEvent.click(button('Try now'));
  await settle(fixture);
  expect(items()).toHaveLength(31);
  expect(screen.queryByRole('alert')).toBe(null);
});
