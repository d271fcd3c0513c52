// A restore as one edit that can be undone. Of two people who restore at the same time, the second waits for the first's edit.
import { randomUUID } from 'node:crypto';
import { atom, createStore } from 'jotai/vanilla';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileOfPage } from 'weft-document/formats/page-json.ts';
import { titleOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import * as Y from 'yjs';
import { err, ok } from '../../../src/lib/result.ts';
import type { Contribution } from '../../../src/ports/history.ts';
import type { Version } from '../../../src/protocol/history-answers.ts';
import { parseVersionId } from '../../../src/protocol/ids.ts';
import { restoreVersion } from '../../../src/state/page/restore-version.ts';
import { alice, bob, documentId } from '../../support/app/app-fixture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function restoredBy(createdBy: UserId, seq: number, createdAt: number): Version {
  const id = parseVersionId(randomUUID());
  if (id === null) throw new Error('malformed id');
  return { id, document: documentId(1), seq, name: null, kind: 'restore', createdBy, createdAt, at: createdAt };
}

function docWithTitle(title: string): Y.Doc {
  const doc = new Y.Doc();
  titleOf(doc).insert(0, title);
  return doc;
}

/** Alice restores the title "Before" of a page that has three rows and the title "After". */
function begin(others: readonly Version[], isOnline = true) {
  const rows: UserId[] = [alice.id, bob.id, alice.id];
  const row = (seq: number): Contribution | null => {
    const by = rows[seq - 1];
    return by === undefined ? null : { seq, at: seq, by };
  };
  const [store, sessionAtom, editableAtom] = [
    createStore(),
    atom({ doc: docWithTitle('After'), shownSeq: 3 }),
    atom(true),
  ];
  const named: number[] = [];
  const title = () => String(titleOf(store.get(sessionAtom).doc));
  const restored = restoreVersion(
    {
      store,
      page: { documentId: documentId(1), editableAtom, sessionAtom },
      histories: {
        async nameVersion({ seq }) {
          named.push(seq);
          if (!isOnline) return err(weftError('WF011'));
          return ok(others.find((one) => one.seq === seq) ?? restoredBy(alice.id, seq, Date.now()));
        },
        versions: async () => ok([...others]),
      },
      history: {
        refresh: async () => undefined,
        getView: () => ({ phase: 'ready', head: rows.length, skipped: [], isNewer: false, beginning: null }),
        row,
      },
      me: alice.id,
    },
    { file: async () => ok(fileOfPage(docWithTitle('Before'), null)), what: { type: 'page' } },
  );
  return {
    rows,
    named,
    title,
    restored,
    setEditable: (isEditable: boolean) => store.set(editableAtom, isEditable),
    show: (shownSeq: number) => store.set(sessionAtom, { doc: store.get(sessionAtom).doc, shownSeq }),
    rebuild: (doc: Y.Doc) => store.set(sessionAtom, { doc, shownSeq: 3 }),
  };
}

test('a person who is alone, or first, waits for no one, and can undo it once', async () => {
  const page = begin([restoredBy(bob.id, 3, Date.now() - 60_000), restoredBy(alice.id, 2, Date.now())]);
  await vi.advanceTimersByTimeAsync(0);
  expect(page.title()).toBe('Before');
  expect(page.named).toEqual([3]);
  const undo = await page.restored;
  if (!undo.ok) throw new Error(undo.error);
  expect(undo.value()).toBe(null);
  expect(page.title()).toBe('After');
  expect(undo.value()).toBe('This is undone already.');
});

test('undo is refused while the page cannot be edited, and after a rebuild', async () => {
  const page = begin([]);
  const undo = await page.restored;
  if (!undo.ok) throw new Error(undo.error);
  page.setEditable(false);
  expect(undo.value()).toBe('The page can’t be edited now.');
  page.setEditable(true);
  page.rebuild(docWithTitle('Before'));
  expect(undo.value()).toContain('can’t be undone any more');
  expect(page.title()).toBe('Before');
});

test.each([
  ['at the same row', 3],
  ['at an earlier row', 2],
])('who began later, %s, waits until the page shows the edit of the first', async (_where, seq) => {
  const page = begin([restoredBy(bob.id, seq, Date.now() - 200)]);
  if (seq === 2) page.rows[1] = alice.id;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(page.title()).toBe('After');
  page.rows.push(bob.id);
  await vi.advanceTimersByTimeAsync(500);
  expect(page.title()).toBe('After');
  page.show(4);
  await vi.advanceTimersByTimeAsync(500);
  expect(page.title()).toBe('Before');
});

test('what the first has restored meanwhile is not restored again', async () => {
  const page = begin([restoredBy(bob.id, 3, Date.now() - 200)]);
  await vi.advanceTimersByTimeAsync(500);
  page.rows.push(bob.id);
  page.rebuild(docWithTitle('Before'));
  page.show(4);
  await vi.advanceTimersByTimeAsync(500);
  expect(await page.restored).toEqual(err('The page says this already.'));
});

test('no one waits for long for someone who gave up', async () => {
  const page = begin([restoredBy(bob.id, 3, Date.now() - 200)]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(page.title()).toBe('After');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(page.title()).toBe('Before');
});

test('without the server nothing is restored, and no one is told that an edit waits', async () => {
  const page = begin([], false);
  expect(await page.restored).toEqual(err('Can’t reach the server. Try again.'));
  expect(page.title()).toBe('After');
});
