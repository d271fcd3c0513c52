// The right to read comments may go while the page stays open.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { page as browser } from 'vitest/browser';
import { CommentsOfPage } from '../../../src/features/comments/comments-of-page.tsx';
import { PageContext } from '../../../src/state/hooks.ts';
import { appFixture, bob, documentId } from '../../support/app/app-fixture.ts';
import { personOf, renderInApp } from '../../support/app/render-in-app.tsx';
import { commentOf, shownComments, shownMarks, threadId, threadOf } from '../../support/app/shown-comments.ts';

afterEach(cleanup);

test('with the comments of the page the marks of their words go too, and that of a new one', async () => {
  await browser.viewport(1440, 900);
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: page } = person.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  const marks = shownMarks({});
  const shown = shownComments(person.store, [threadOf(1, [commentOf(1, 'East or west?')])], {});
  await renderInApp(
    fixture,
    <PageContext value={page}>
      <CommentsOfPage
        comments={shown.comments}
        // The comments use no other tools.
        tools={marks.tools as Parameters<typeof CommentsOfPage>[0]['tools']}
        names={{ people: [{ id: bob.id, name: 'Bob Holm' }], pages: [] }}
        address="https://weft.example/w/northquay/p/plan"
        thread={null}
        hasLane
        isShown
        onShow={() => undefined}
      />
    </PageContext>,
  );
  await waitFor(() => screen.getByRole('complementary', { name: 'Comments' }));
  await waitFor(() => expect(marks.seen.shown.map(({ id }) => id)).toEqual([threadId(1)]));
  cleanup();
  expect(marks.seen.shown).toEqual([]);
});
