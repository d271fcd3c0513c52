// The line under a page's title: who edited it last, and when.
import { act, cleanup, render } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, expect, test } from 'vitest';
import { titleOf } from 'weft-document/names.ts';
import { shortDate } from '../../../src/lib/text/times.ts';
import { LastEdited } from '../../../src/screens/page/last-edited.tsx';
import { PageContext, PersonContext, WorkspaceContext } from '../../../src/state/hooks.ts';
import { appFixture, bob, documentId, northquay, pageSummary, userId } from '../../support/app/app-fixture.ts';
import { advance, personOf } from '../../support/app/render-in-app.tsx';
import { connect, pageSession } from '../../support/editor/page-session.ts';

afterEach(cleanup);

/** Page 2; according to the list, Bob edited it long ago. */
async function openPage() {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: workspace } = person.workspaces.acquire(northquay.id);
  const { value: open } = person.pages.acquire(documentId(2));
  await fixture.clock.run(10);
  const session = fixture.sessions.get(documentId(2));
  if (session === undefined) throw new Error('the page did not open');
  Object.assign(session, { user: person.identity.id });
  const renders = { count: 0 };
  const { container } = render(
    <PersonContext value={person}>
      <WorkspaceContext value={workspace}>
        <PageContext value={open}>
          <Profiler id="meta" onRender={() => void renders.count++}>
            <LastEdited id={documentId(2)} />
          </Profiler>
        </PageContext>
      </WorkspaceContext>
    </PersonContext>,
  );
  await advance(fixture, 10);
  const now = () => shortDate(fixture.clock.now(), Date.now());
  return { fixture, person, session, renders, now, line: () => container.textContent };
}

/** Returns a function that makes Bob edit the page; his session is on the page's topic. */
function bobEdits(session: Awaited<ReturnType<typeof openPage>>['session']) {
  const other = pageSession();
  connect(other, session);
  session.setView({ peers: [{ session: other.sessionId, user: bob.id }] });
  return () => act(() => titleOf(other.doc).insert(0, 'x'));
}

test('shows this person’s edits once they are saved, without rendering at each of them', async () => {
  const { fixture, session, renders, now, line } = await openPage();
  expect(line()).toMatch(/^Last edited by Bob Holm, /);
  act(() => session.setView({ unsent: { edits: 1, oldestAt: 1 } }));
  expect(line()).toMatch(/^Last edited by Bob Holm, /);
  const before = renders.count;
  for (let seq = 1; seq <= 50; seq++) {
    act(() => session.setView({ lastSaved: { seq, at: fixture.clock.now() }, lastN: seq, ackedN: seq }));
    await advance(fixture, 100);
  }
  expect(line()).toBe(`Last edited by you, ${now()}`);
  expect(renders.count - before).toBeLessThan(4);
});

test('shows others’ edits as they arrive, also while both edit at once', async () => {
  const { fixture, session, renders, now, line } = await openPage();
  const write = bobEdits(session);
  await advance(fixture, 5_000);
  write();
  expect(line()).toBe(`Last edited by Bob Holm, ${now()}`);
  const before = renders.count;
  for (let seq = 1; seq <= 50; seq++) {
    act(() => session.setView({ lastSaved: { seq, at: fixture.clock.now() } }));
    await advance(fixture, 50);
    write();
    await advance(fixture, 50);
  }
  act(() => session.setView({ lastSaved: { seq: 51, at: fixture.clock.now() } }));
  await advance(fixture, 6_000);
  expect(line()).toMatch(/^Last edited by you, /);
  expect(renders.count - before).toBeLessThan(5);
});

test('edits that arrive after a reconnect do not count as edits of now', async () => {
  const { fixture, session, line } = await openPage();
  const write = bobEdits(session);
  await advance(fixture, 5_000);
  const listed = line();
  act(() => session.setView({ connection: 'reconnecting' }));
  await advance(fixture, 60_000);
  act(() => session.setView({ connection: 'live' }));
  write();
  await advance(fixture, 10_000);
  expect(line()).toBe(listed);
});

test('the answer that opened the page replaces an older entry of the list', async () => {
  const { fixture, person, session, line } = await openPage();
  const updatedAt = fixture.clock.now() - 60_000;
  act(() => session.setView({ document: pageSummary(2, 'Minutes', { updatedAt, updatedBy: person.identity.id }) }));
  expect(line()).toBe(`Last edited by you, ${shortDate(updatedAt, Date.now())}`);
});

test('a guest without a name is "a guest", and a person whose profile no one may read any more is someone who left', async () => {
  const { fixture, person, session, line } = await openPage();
  const updatedAt = fixture.clock.now() - 60_000;
  const [guest, stranger] = [userId(8), userId(9)];
  act(() => person.people.put({ id: guest, displayName: 'Guest', color: 'rust' }));
  act(() => session.setView({ document: pageSummary(2, 'Minutes', { updatedAt, updatedBy: guest }) }));
  expect(line()).toBe(`Last edited by a guest, ${shortDate(updatedAt, Date.now())}`);
  act(() =>
    session.setView({ document: pageSummary(2, 'Minutes', { updatedAt: updatedAt + 1, updatedBy: stranger }) }),
  );
  expect(line()).toBe(`Last edited, ${shortDate(updatedAt, Date.now())}`);
  await advance(fixture, 100);
  expect(line()).toBe(`Last edited by someone who left, ${shortDate(updatedAt, Date.now())}`);
});
