// One project's messages divided among its busy pages.
import { expect, test } from 'vitest';
import { PageBudget } from '../../../src/app/sessions/page-budget.ts';
import { type DocumentId, parseDocumentId, parseUserId, parseWorkspaceId } from '../../../src/protocol/ids.ts';
import type { WorkspaceStream } from '../../../src/state/ports.ts';

type Events = Parameters<WorkspaceStream['open']>[1];

const uuid = (n: number) => `a0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function must<T>(value: T | null): T {
  if (value === null) throw new Error('malformed id');
  return value;
}

/** Two people on each of `pages` pages, and one on a page alone. */
function locations(pages: number) {
  const on = (page: number): DocumentId => must(parseDocumentId(uuid(page)));
  const person = (nth: number, document: DocumentId | null) => ({ user: must(parseUserId(uuid(nth))), document });
  const pairs = Array.from({ length: pages }, (_, page) => [
    person(2 * page, on(page)),
    person(2 * page + 1, on(page)),
  ]);
  return [...pairs.flat(), person(900, on(900)), person(901, null)];
}

function setup() {
  const budget = new PageBudget(100);
  let events: Events | null = null;
  const stream: WorkspaceStream = {
    open: (_, on) => {
      events = on;
      return { setCurrentPage: () => undefined, close: () => undefined };
    },
  };
  const workspace = {
    id: must(parseWorkspaceId(uuid(1))),
    name: 'W',
    role: 'editor',
    epoch: 1,
  };
  // Only the id matters here.
  const opened = budget.observe(stream).open(workspace as unknown as Parameters<WorkspaceStream['open']>[0], {
    change: () => undefined,
    locations: () => undefined,
    caughtUp: () => undefined,
  });
  return { budget, opened, see: (pages: number | null) => events?.locations(pages === null ? null : locations(pages)) };
}

test('one busy page takes half of the project’s messages, several share four fifths of them', () => {
  const { budget, opened, see } = setup();
  expect(budget.perPage()).toBe(50);
  see(1);
  expect(budget.perPage()).toBe(50);
  see(2);
  expect(budget.perPage()).toBe(40);
  see(5);
  expect(budget.perPage()).toBe(16);
  // Not connected: the last count stays.
  see(null);
  expect(budget.perPage()).toBe(16);
  opened.close();
  expect(budget.perPage()).toBe(50);
});
