import { createStore } from 'jotai/vanilla';
import { expect, test } from 'vitest';
import { changeTitle, titleText } from '../../src/document/title.ts';
import { OPENING, openPage } from '../../src/state/open-page.ts';
import { documentId } from '../support/app-world.ts';
import { pageSession } from '../support/page-session.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function opened() {
  const store = createStore();
  const session = pageSession();
  let unsentChanges = 0;
  const page = openPage({
    documentId: documentId(1),
    store,
    open: async () => ({ session, readTitle: titleText }),
    unsentChanged: () => unsentChanges++,
  });
  return { store, session, page, unsentChanges: () => unsentChanges };
}

test('a page opens, then shows what its session shows', async () => {
  const { store, session, page } = opened();
  expect(store.get(page.viewAtom)).toBe(OPENING);
  await settled();
  expect(store.get(page.sessionAtom)).toBe(session);
  expect(store.get(page.viewAtom)).toBe(session.getView());
  session.setView({ receipt: 'sending', unsent: { edits: 1, oldestAt: 5 } });
  expect(store.get(page.viewAtom).receipt).toBe('sending');
});

test('the title is the text’s own, and changes with it', async () => {
  const { store, session, page } = opened();
  await settled();
  const seen: (string | null)[] = [];
  store.sub(page.titleAtom, () => seen.push(store.get(page.titleAtom)));
  changeTitle(session.doc, { index: 0, remove: 0, insert: 'Plan' });
  expect(seen).toEqual(['Plan']);
});

test('a keystroke leaves the slices alone that it does not change', async () => {
  const { store, session, page } = opened();
  await settled();
  let rosters = 0;
  store.sub(page.rosterAtom, () => rosters++);
  store.sub(page.phaseAtom, () => rosters++);
  session.setView({ receipt: 'sending', unsent: { edits: 1, oldestAt: 5 } });
  session.setView({ receipt: 'saved', unsent: { edits: 0, oldestAt: null } });
  expect(rosters).toBe(0);
});

test('the device’s list is read anew when edits begin to wait and when none waits any more, not at each', async () => {
  const { session, unsentChanges } = opened();
  await settled();
  for (const edits of [1, 2, 3, 0]) session.setView({ unsent: { edits, oldestAt: edits > 0 ? 5 : null } });
  expect(unsentChanges()).toBe(2);
});

test('a page closed while it opens leaves no open session behind', async () => {
  const store = createStore();
  const session = pageSession();
  let closes = 0;
  const hands: (() => void)[] = [];
  const page = openPage({
    documentId: documentId(1),
    store,
    open: () =>
      new Promise((resolve) => {
        hands.push(() => resolve({ session: { ...session, close: async () => void closes++ }, readTitle: titleText }));
      }),
    unsentChanged: () => undefined,
  });
  const closing = page.close();
  for (const hand of hands) hand();
  await closing;
  expect(closes).toBe(1);
  expect(store.get(page.sessionAtom)).toBeNull();
});

test('code that does not load is a page that failed, not one that opens for ever', async () => {
  const store = createStore();
  const page = openPage({
    documentId: documentId(1),
    store,
    open: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
    unsentChanged: () => undefined,
  });
  await settled();
  expect(store.get(page.viewAtom)).toMatchObject({ phase: 'failed', error: { code: 'WF011' } });
  await page.close();
});
