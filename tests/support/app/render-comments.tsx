// The comments of a page beside its text, or below it, on comments and marks in memory.
import { screen, waitFor } from '@testing-library/react';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { CommentsOfPage } from '../../../src/features/comments/comments-of-page.tsx';
import type { CommentsView } from '../../../src/state/comments/page-comments.ts';
import type { ShownThread } from '../../../src/state/comments/shown-threads.ts';
import { PageContext } from '../../../src/state/hooks.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { alice, appFixture, bob, documentId } from './app-fixture.ts';
import { personOf, renderInApp } from './render-in-app.tsx';
import { commentOf, shownComments, shownMarks, threadOf } from './shown-comments.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

type Options = {
  readonly threads?: readonly ShownThread[];
  readonly view?: Partial<CommentsView>;
  readonly hasLane?: boolean;
  readonly role?: DocumentRole;
};

const PAGES = [{ title: 'Boat rota', address: '/w/northquay/p/boat-rota', above: '' }];
const TWO = [
  threadOf(1, [commentOf(1, 'East or west?'), commentOf(2, 'West.', { by: alice.id })]),
  threadOf(2, [commentOf(3, 'Who calls it?')]),
];

export async function renderComments(options: Options = {}) {
  const { threads = TWO, view = {}, hasLane = true, role = 'manager' } = options;
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: page } = person.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  fixture.sessions.get(documentId(1))?.setView({ role });
  const shown = shownComments(person.store, threads, view);
  const marks = shownMarks();
  await renderInApp(
    fixture,
    <PageContext value={page}>
      <div className="page-area" style={{ height: 800 }}>
        <div className="page-column" />
        <CommentsOfPage
          comments={shown.comments}
          // The comments use no other tools.
          tools={marks.tools as Parameters<typeof CommentsOfPage>[0]['tools']}
          names={{ people: [{ id: bob.id, name: 'Bob Holm' }], pages: PAGES }}
          address="https://weft.example/w/northquay/p/plan"
          thread={null}
          hasLane={hasLane}
          isShown
          onShow={() => undefined}
        />
        <Toasts />
      </div>
    </PageContext>,
  );
  await waitFor(() => screen.getByRole('complementary', { name: 'Comments' }));
  await fixture.clock.run(100);
  return { fixture, shown, marks };
}
