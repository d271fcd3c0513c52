// Comments as someone can store them who calls the database's functions without this app, up to every limit: on the screen nothing
// of them runs, takes long, or leaves its card.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page as browser } from 'vitest/browser';
import { CommentsOfPage } from '../../../src/features/comments/comments-of-page.tsx';
import type { CommentBody } from '../../../src/protocol/comments.ts';
import type { ShownThread } from '../../../src/state/comments/shown-threads.ts';
import { PageContext } from '../../../src/state/hooks.ts';
import { excessOf, loadOf } from '../../attack/support/load.ts';
import { appFixture, bob, documentId } from '../../support/app/app-fixture.ts';
import { personOf, renderInApp } from '../../support/app/render-in-app.tsx';
import { commentOf, saying, shownComments, shownMarks, threadId, threadOf } from '../../support/app/shown-comments.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

/** Between two frames. */
const MAX_ELEMENTS = 4_000;

afterEach(cleanup);
beforeEach(async () => {
  localStorage.clear();
  await browser.viewport(1440, 900);
});

type Shown = {
  readonly threads: readonly ShownThread[];
  readonly open?: number;
  readonly hasLane?: boolean;
  /** Ends when so many of these are drawn. */
  readonly drawn: string;
  readonly count: number;
};

async function show({ threads, open, hasLane = true, drawn, count }: Shown) {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: page } = person.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  fixture.sessions.get(documentId(1))?.setView({ role: 'manager' });
  const { comments } = shownComments(person.store, threads);
  const { tools } = shownMarks();
  const load = await loadOf(async () => {
    await renderInApp(
      fixture,
      <PageContext value={page}>
        <div className="page-area" style={{ height: 800 }}>
          <div className="page-column" />
          <CommentsOfPage
            comments={comments}
            // The comments use no other tools.
            tools={tools as Parameters<typeof CommentsOfPage>[0]['tools']}
            names={{ people: [{ id: bob.id, name: 'Bob Holm' }], pages: [] }}
            address="https://weft.example/w/northquay/p/plan"
            thread={open === undefined ? null : threadId(open)}
            hasLane={hasLane}
            isShown
            onShow={() => undefined}
          />
        </div>
      </PageContext>,
    );
    await waitFor(() => expect(document.querySelectorAll(drawn).length).toBeGreaterThanOrEqual(count), TIMEOUT);
  });
  return load;
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const TIMEOUT = { timeout: 20_000 };
const LONG = 'word '.repeat(2_000);

test.each([true, false])('2,000 threads on a page are drawn in slices; in the lane: %s', async (hasLane) => {
  const threads = range(2_000).map((n) => threadOf(n, [commentOf(n, LONG)]));
  expect(excessOf(await show({ threads, hasLane, drawn: '.thread', count: 300 }), MAX_ELEMENTS)).toEqual([]);
});

test.each([true, false])('1,000 comments in a thread are drawn in slices; in the lane: %s', async (hasLane) => {
  const threads = [
    threadOf(
      1,
      range(1_000).map((n) => commentOf(n, 'word '.repeat(200))),
    ),
  ];
  expect(excessOf(await show({ threads, open: 1, hasLane, drawn: '.comment', count: 120 }), MAX_ELEMENTS)).toEqual([]);
});

test('a thread of several slices is there whole, and so are all cards', async () => {
  const threads = [
    threadOf(
      1,
      range(90).map((n) => commentOf(n, `word ${n}`)),
    ),
    ...range(120).map((n) => threadOf(n + 1, [commentOf(n + 100, 'x')])),
  ];
  await show({ threads, open: 1, drawn: '.comment', count: 90 });
  expect(screen.getByText('word 90')).toBeDefined();
  await waitFor(() => expect(document.querySelectorAll('.thread').length).toBe(121), TIMEOUT);
});

const HOSTILE: Readonly<Record<string, CommentBody>> = {
  'HTML and Markdown': saying(
    '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>',
    '[a](javascript:window.wasRun=true) ![b](data:text/html,x) <a href="javascript:1">c</a>',
  ),
  'links that run something': [
    'javascript:window.wasRun=true',
    ' java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
  ].map((link) => ({ kind: 'paragraph', runs: [{ text: 'here', link }] })),
  'a word of ten thousand characters': saying('x'.repeat(10_000)),
  'writing from right to left that never ends': saying('\u202e\u2067\u202b'.repeat(1_000) + 'abc', 'after'),
  'ten thousand marks on one character': saying(`x${'\u0301'.repeat(9_999)}`),
  'five thousand letters of flags': saying('\u{1f1fc}'.repeat(5_000)),
  'two hundred lists of one line each': range(200).map((n) => ({
    kind: n % 2 === 0 ? ('bullet' as const) : ('numbered' as const),
    runs: [{ text: '- '.repeat(100) }],
  })),
  'eight hundred runs of all kinds, as many as 64 KiB hold': [
    {
      kind: 'bullet',
      runs: range(800).map((n) => ({
        text: 'w ',
        bold: true,
        italic: true,
        code: true,
        link: `https://weft.example/${n}`,
      })),
    },
  ],
};

test.each(Object.entries(HOSTILE))('%s: nothing runs, and all of it stays in its card', async (_name, body) => {
  const threads = [threadOf(1, [commentOf(1, '', { body })]), threadOf(2, [commentOf(2, '', { body })])];
  const load = await show({ threads, open: 1, drawn: '.comment-body', count: 1 });
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
  for (const thread of document.querySelectorAll<HTMLElement>('.thread')) {
    expect(thread.scrollWidth).toBeLessThanOrEqual(thread.clientWidth);
    const { left, right } = thread.getBoundingClientRect();
    for (const line of thread.querySelectorAll('p, li')) {
      const box = line.getBoundingClientRect();
      expect([box.left >= left, box.right <= right]).toEqual([true, true]);
    }
  }
  expect(document.querySelector('.thread img, .thread script, .thread a:not([href^="https://"])')).toBeNull();
  expect('wasRun' in window).toBe(false);
});
