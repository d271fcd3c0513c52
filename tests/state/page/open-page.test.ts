import { atom, createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { bodyText } from 'weft-document/body/body-text.ts';
import { changeTitle, titleText } from 'weft-document/title.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import * as Y from 'yjs';
import type { PendingPage } from '../../../src/ports/device.ts';
import { openPage } from '../../../src/state/page/open-page.ts';
import { OPENING } from '../../../src/state/page/session-of-page.ts';
import { documentId, workspaceId } from '../../support/app/app-fixture.ts';
import { noFiles } from '../../support/app/memory-files.ts';
import { pageSession } from '../../support/editor/page-session.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

const openedAs = (session: Session) => ({
  session,
  readTitle: titleText,
  writeTitle: () => undefined,
  readText: bodyText,
  readState: (doc: Y.Doc) => new Uint8Array(Y.encodeStateAsUpdate(doc)),
  release: () => undefined,
});

const noCallbacks = {
  timing: new SimClock(),
  pendingAtom: atom(null),
  files: noFiles,
  waitingFilesAtom: atom(null),
  personCommentsAtom: atom(null),
  waitingCommentsAtom: atom(null),
  onUnsentChanged: () => undefined,
  onRestored: () => undefined,
  onShown: () => undefined,
  onEdited: () => undefined,
  onAccessLost: () => undefined,
  onTitleChanged: () => undefined,
};

const madeHere: PendingPage = {
  id: documentId(1),
  workspace: workspaceId(1),
  parent: null,
  rank: 'a0',
  title: '',
  madeAt: 1_000,
  refused: null,
};

function opened() {
  const store = createStore();
  const session = pageSession();
  const reported: string[] = [];
  const pendingAtom = atom<PendingPage | null>(null);
  let unsentChanges = 0;
  const page = openPage({
    documentId: documentId(1),
    store,
    open: async () => openedAs(session),
    ...noCallbacks,
    pendingAtom,
    onUnsentChanged: () => unsentChanges++,
    onShown: () => reported.push('shown'),
    onEdited: () => reported.push('edited'),
    onAccessLost: () => reported.push('lost'),
    onTitleChanged: (title) => reported.push(title),
  });
  return { store, session, page, pendingAtom, reported, unsentChanges: () => unsentChanges };
}

test('a page opens, then shows its session’s view', async () => {
  const { store, session, page } = opened();
  expect(store.get(page.viewAtom)).toBe(OPENING);
  await settled();
  expect(store.get(page.sessionAtom)).toBe(session);
  expect(store.get(page.viewAtom)).toBe(session.getView());
  session.setView({ receipt: 'sending', unsent: { edits: 1, oldestAt: 5 } });
  expect(store.get(page.viewAtom).receipt).toBe('sending');
});

test('the title comes from the document and changes with it', async () => {
  const { store, session, page } = opened();
  await settled();
  const seen: (string | null)[] = [];
  store.sub(page.titleAtom, () => seen.push(store.get(page.titleAtom)));
  changeTitle(session.doc, { index: 0, remove: 0, insert: 'Plan' });
  expect(seen).toEqual(['Plan']);
});

test('a keystroke does not change the atoms that it does not affect', async () => {
  const { store, session, page } = opened();
  await settled();
  let rosters = 0;
  store.sub(page.peersAtom, () => rosters++);
  store.sub(page.phaseAtom, () => rosters++);
  session.setView({ receipt: 'sending', unsent: { edits: 1, oldestAt: 5 } });
  session.setView({ receipt: 'saved', unsent: { edits: 0, oldestAt: null } });
  expect(rosters).toBe(0);
});

test('the presenter, the followers and the watchers are atoms, and change only with them', async () => {
  const { store, session, page } = opened();
  await settled();
  const atoms = [page.presenterAtom, page.followersAtom, page.watchersAtom, page.presentErrorAtom];
  let changes = 0;
  for (const one of atoms) store.sub(one, () => changes++);
  const presenter = { user: session.user, place: { block: 'top', offset: 0 }, isOwn: true };
  const followers = { people: [], links: 2, declined: [] };
  const watchers = { people: [session.user], links: 3 };
  const presentError = weftError('WF015', session.user);
  session.setView({ presenter, followers, watchers, presentError });
  expect(atoms.map((one) => store.get<unknown>(one))).toEqual([presenter, followers, watchers, presentError]);
  session.setView({ receipt: 'sending' });
  expect(changes).toBe(4);
});

test('the device’s unsent edits are read again when the first edit waits and when the last is sent, not at each edit', async () => {
  const { session, unsentChanges } = opened();
  await settled();
  for (const edits of [1, 2, 3, 0]) session.setView({ unsent: { edits, oldestAt: edits > 0 ? 5 : null } });
  expect(unsentChanges()).toBe(2);
});

test('a page that is closed while it opens leaves no open session behind', async () => {
  const store = createStore();
  const session = pageSession();
  let closes = 0;
  const hands: (() => void)[] = [];
  const page = openPage({
    documentId: documentId(1),
    store,
    open: () =>
      new Promise((resolve) => {
        hands.push(() => resolve(openedAs({ ...session, close: async () => void closes++ })));
      }),
    ...noCallbacks,
  });
  const closing = page.close();
  for (const hand of hands) hand();
  await closing;
  expect(closes).toBe(1);
  expect(store.get(page.sessionAtom)).toBeNull();
});

test('code that does not load makes the page fail instead of opening forever', async () => {
  const store = createStore();
  const page = openPage({
    documentId: documentId(1),
    store,
    open: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
    ...noCallbacks,
  });
  await settled();
  expect(store.get(page.viewAtom)).toMatchObject({ phase: 'failed', error: { code: 'WF011' } });
  await page.close();
});

test('a page that the server does not have is not saved, whatever its session says', async () => {
  const { store, session, page, pendingAtom } = opened();
  await settled();
  store.set(pendingAtom, madeHere);
  session.setView({ receipt: 'saved', connection: 'offline' });
  expect(page.getView()).toMatchObject({ receipt: 'device', unsent: { edits: 1, oldestAt: 1_000 } });
  session.setView({ receipt: 'device', unsent: { edits: 2, oldestAt: 5_000 } });
  expect(page.getView()).toMatchObject({ receipt: 'device', unsent: { edits: 3, oldestAt: 1_000 } });
  store.set(pendingAtom, { ...madeHere, refused: 'WF001' });
  expect(page.getView().receipt).toBe('refused');
  store.set(pendingAtom, null);
  expect(page.getView()).toBe(session.getView());
});

test('the file of a page that the server does not have contains all of it, that of another page its edits', async () => {
  const { store, session, page, pendingAtom } = opened();
  await settled();
  expect(page.unsentFile()).toBeNull();
  changeTitle(session.doc, { index: 0, remove: 0, insert: 'Plan' });
  store.set(pendingAtom, madeHere);
  const copy = new Y.Doc();
  Y.applyUpdate(copy, page.unsentFile() ?? new Uint8Array());
  expect(titleText(copy)).toBe('Plan');
});

test('reports once that it is shown, that someone edited it, and its title', async () => {
  const { session, reported } = opened();
  await settled();
  expect(reported).toEqual(['', 'shown']);
  changeTitle(session.doc, { index: 0, remove: 0, insert: 'Plan' });
  session.setView({ receipt: 'sending', unsent: { edits: 1, oldestAt: 5 } });
  expect(reported.toSorted()).toEqual(['', 'Plan', 'edited', 'shown']);
});

test('lost access is reported if nothing is unsent, and not while edits exist nowhere else', async () => {
  const { session, reported } = opened();
  await settled();
  session.setView({ error: weftError('WF001'), unsent: { edits: 1, oldestAt: 5 } });
  expect(reported).not.toContain('lost');
  session.setView({ unsent: { edits: 0, oldestAt: null } });
  session.setView({ lastSaved: null });
  expect(reported.filter((one) => one === 'lost')).toHaveLength(1);
});

test('access that came back is reported when it is lost again', async () => {
  const { session, reported } = opened();
  await settled();
  const lost = { error: weftError('WF001') };
  for (const view of [lost, { ...lost, upToDate: false }, { error: null }, lost]) session.setView(view);
  expect(reported.filter((event) => event === 'lost')).toEqual(['lost', 'lost']);
});

test('rejected files are distinguished from rejected text', async () => {
  const store = createStore();
  const [session, refusedSession] = [pageSession(), pageSession()];
  refusedSession.setView({ receipt: 'refused', unsent: { edits: 1, oldestAt: 5 } });
  const viewOf = async (opened: Session) => {
    const page = openPage({
      documentId: documentId(1),
      store,
      open: async () => openedAs(opened),
      ...noCallbacks,
      waitingFilesAtom: atom({ count: 3, oldestAt: 7, refused: 2 }),
    });
    await settled();
    return page.getView();
  };
  expect(await viewOf(session)).toMatchObject({ receipt: 'refused', refusedFiles: 2, unsent: { edits: 3 } });
  expect(await viewOf(refusedSession)).toMatchObject({ receipt: 'refused', unsent: { edits: 4 } });
  expect(await viewOf(refusedSession)).not.toHaveProperty('refusedFiles');
});

test('waiting comments count as edits; rejected ones are named only while all edits of the text are accepted', async () => {
  const store = createStore();
  const viewWith = async (session: ReturnType<typeof pageSession>, refused: number) => {
    const waitingCommentsAtom = atom({ count: 3, oldestAt: 7, refused, isOnlyHere: false, texts: [] });
    const page = openPage({
      documentId: documentId(1),
      store,
      open: async () => openedAs(session),
      ...noCallbacks,
      waitingCommentsAtom,
    });
    await settled();
    return page.getView();
  };
  const session = pageSession();
  expect(await viewWith(session, 0)).toMatchObject({ receipt: 'sending', unsent: { edits: 3, oldestAt: 7 } });
  expect(await viewWith(session, 1)).toMatchObject({ receipt: 'refused', refusedComments: 1 });
  session.setView({ receipt: 'readonly', connection: 'offline' });
  expect(await viewWith(session, 0)).toMatchObject({ receipt: 'device', unsent: { edits: 3 } });
  session.setView({ receipt: 'refused', unsent: { edits: 1, oldestAt: 5 } });
  expect(await viewWith(session, 1)).toMatchObject({ receipt: 'refused', unsent: { edits: 4, oldestAt: 5 } });
  expect(await viewWith(session, 1)).not.toHaveProperty('refusedComments');
});
