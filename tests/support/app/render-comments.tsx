// The comments of a page beside its text, or below it, on comments and marks in memory.
import { screen, waitFor } from '@testing-library/react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { CommentsOfPage } from '../../../src/features/comments/comments-of-page.tsx';
import type { WritableFiles } from '../../../src/ports/files.ts';
import type { CommentReaders, PagePeople } from '../../../src/protocol/people-answers.ts';
import type { CommentsView } from '../../../src/state/comments/page-comments.ts';
import type { ShownThread } from '../../../src/state/comments/shown-threads.ts';
import { PageContext } from '../../../src/state/hooks.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { alice, appFixture, bob, documentId } from './app-fixture.ts';
import { memberOf } from './memory-membership.ts';
import { personOf, renderInApp } from './render-in-app.tsx';
import { commentOf, shownComments, shownMarks, threadOf } from './shown-comments.ts';
import './patient-queries.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

type Options = {
  readonly threads?: readonly ShownThread[];
  readonly view?: Partial<CommentsView>;
  readonly hasLane?: boolean;
  readonly role?: DocumentRole;
  /** Who can open the page. */
  readonly openers?: readonly UserId[];
  readonly commentReaders?: CommentReaders;
  readonly files?: WritableFiles;
};

const readerOf = (user: UserId, role: DocumentRole): PagePeople['people'][number] => ({
  user,
  role,
  sources: [{ kind: 'page', role, document: null, link: null, addedBy: null }],
});
const PAGES = [{ title: 'Boat rota', address: '/w/northquay/p/boat-rota', above: '' }];
const TWO = [
  threadOf(1, [commentOf(1, 'East or west?'), commentOf(2, 'West.', { by: alice.id })]),
  threadOf(2, [commentOf(3, 'Who calls it?')]),
];

export async function renderComments(options: Options = {}) {
  const { threads = TWO, view = {}, hasLane = true, role = 'manager', openers = [alice.id, bob.id] } = options;
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: page } = person.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  fixture.sessions.get(documentId(1))?.setView({ role });
  fixture.access.people = {
    ...fixture.access.people,
    commentReaders: options.commentReaders ?? 'viewers',
    people: openers.map((user) => readerOf(user, user === alice.id ? role : 'viewer')),
  };
  fixture.people.members = [memberOf(alice.id, 'owner'), memberOf(bob.id, 'member')];
  const shown = shownComments(person.store, threads, view, options.files);
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
          names={{ people: [{ id: bob.id, name: 'Bob Holm', isHere: true }], pages: PAGES }}
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
