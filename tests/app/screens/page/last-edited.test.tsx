// The line under a page's title: who edited it last, and when, as it is known here.
import { act, cleanup, render } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, expect, test } from 'vitest';
import { LastEdited } from '../../../../src/app/screens/page/last-edited.tsx';
import { shortDate } from '../../../../src/features/workspace/short-date.ts';
import { titleOf } from '../../../../src/document/names.ts';
import { PageContext, PersonContext, WorkspaceContext } from '../../../../src/state/hooks.ts';
import { appFixture, bob, documentId, northquay, pageSummary } from '../../../support/app/app-fixture.ts';
import { advance, personOf } from '../../../support/app/render-in-app.tsx';
import { connect, pageSession } from '../../../support/editor/page-session.ts';

afterEach(cleanup);

/** Page 2, which the list says Bob edited long ago. */
async function opened() {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const person = personOf(fixture);
  const { value: workspace } = person.workspaces.acquire(northquay.id);
  const { value: open } = person.pages.acquire(documentId(2));
  await fixture.clock.run(10);
  const session = fixture.sessions.get(documentId(2));
  if (session === undefined) throw new Error('the page did not open');
  Object.assign(session, { user: person.identity.id });
  const drawn = { times: 0 };
  const { container } = render(
    <PersonContext value={person}>
      <WorkspaceContext value={workspace}>
        <PageContext value={open}>
          <Profiler id="meta" onRender={() => void drawn.times++}>
            <LastEdited id={documentId(2)} />
          </Profiler>
        </PageContext>
      </WorkspaceContext>
    </PersonContext>,
  );
  await advance(fixture, 10);
  const now = () => shortDate(fixture.clock.now(), Date.now());
  return { fixture, person, session, drawn, now, line: () => container.textContent };
}

/** Somebody else writes into the page; their session is on its topic. */
function writing(session: Awaited<ReturnType<typeof opened>>['session']) {
  const other = pageSession();
  connect(other, session);
  session.setView({ peers: [{ session: other.sessionId, user: bob.id }] });
  return () => act(() => titleOf(other.doc).insert(0, 'x'));
}

test('own edits are said when they are saved, and nothing is drawn at each', async () => {
  const { fixture, session, drawn, now, line } = await opened();
  expect(line()).toMatch(/^Last edited by Bob Holm, /);
  act(() => session.setView({ unsent: { edits: 1, oldestAt: 1 } }));
  expect(line()).toMatch(/^Last edited by Bob Holm, /);
  const before = drawn.times;
  for (let seq = 1; seq <= 50; seq++) {
    act(() => session.setView({ lastSaved: { seq, at: fixture.clock.now() }, lastN: seq, ackedN: seq }));
    await advance(fixture, 100);
  }
  expect(line()).toBe(`Last edited by you, ${now()}`);
  expect(drawn.times - before).toBeLessThan(4);
});

test('others’ edits are said as they are seen, also where both write at once', async () => {
  const { fixture, session, drawn, now, line } = await opened();
  const write = writing(session);
  await advance(fixture, 5_000);
  write();
  expect(line()).toBe(`Last edited by Bob Holm, ${now()}`);
  const before = drawn.times;
  for (let seq = 1; seq <= 50; seq++) {
    act(() => session.setView({ lastSaved: { seq, at: fixture.clock.now() } }));
    await advance(fixture, 50);
    write();
    await advance(fixture, 50);
  }
  act(() => session.setView({ lastSaved: { seq: 51, at: fixture.clock.now() } }));
  await advance(fixture, 6_000);
  expect(line()).toMatch(/^Last edited by you, /);
  expect(drawn.times - before).toBeLessThan(5);
});

test('what is caught up with after an absence is not of now', async () => {
  const { fixture, session, line } = await opened();
  const write = writing(session);
  await advance(fixture, 5_000);
  const listed = line();
  act(() => session.setView({ connection: 'reconnecting' }));
  await advance(fixture, 60_000);
  act(() => session.setView({ connection: 'live' }));
  write();
  await advance(fixture, 10_000);
  expect(line()).toBe(listed);
});

test('the answer that opened the page is newer than a list of before', async () => {
  const { fixture, person, session, line } = await opened();
  const updatedAt = fixture.clock.now() - 60_000;
  act(() => session.setView({ document: pageSummary(2, 'Minutes', { updatedAt, updatedBy: person.identity.id }) }));
  expect(line()).toBe(`Last edited by you, ${shortDate(updatedAt, Date.now())}`);
});
