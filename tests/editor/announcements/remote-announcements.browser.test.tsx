import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { RemoteAnnouncements } from '../../../src/editor/announcements/remote-announcements.tsx';
import { assert } from '../../../src/lib/assert.ts';
import type { Profile } from '../../../src/protocol/answers.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';

const peerOf = ({ sessionId, user }: PageSession) => ({ session: sessionId, user });

type People = Parameters<typeof RemoteAnnouncements>[0]['people'];

function renderAnnouncements(session: PageSession, people: People) {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  const setPeople = (known: People) =>
    react.render(<RemoteAnnouncements session={session} doc={session.doc} people={known} />);
  setPeople(people);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  const announced = () => root.querySelector('[aria-live="polite"]')?.textContent ?? '';
  return { announced, setPeople, isThere: () => root.querySelector('[aria-live="polite"]') !== null };
}

test('arrivals and changes are announced in one sentence; the user’s own edits, also in another tab, are not', async () => {
  const seed = pageSeed('first', 'the harbour opens');
  const [alice, bob, otherTab] = [pageSession(seed), pageSession(seed), pageSession(seed)];
  const otherTabOfAlice = { ...peerOf(otherTab), user: alice.user };
  connect(alice, bob, otherTab);
  alice.setView({ peers: [peerOf(alice), otherTabOfAlice] });
  const { announced, isThere } = renderAnnouncements(
    alice,
    new Map([[bob.user, { id: bob.user, displayName: 'Bob', color: 'rust' }]]),
  );
  const [a, b, other] = [openPage(alice), openPage(bob), openPage(otherTab)];
  await expect.poll(isThere).toBe(true);
  a.caret(0, -1);
  a.type(' of mine');
  other.caret(0, 0);
  other.type('mine: ');
  alice.setView({ peers: [peerOf(alice), otherTabOfAlice, peerOf(bob)] });
  b.caret(1, -1);
  b.type(' at six');
  expect(announced()).toBe('');
  await expect.poll(announced, { timeout: 6_000 }).toBe('Bob opened the page. Bob changed “the harbour opens at six”.');
});

test('an arrival waits until the name is known, and the name is used again when they leave', async () => {
  const [alice, bob, carol] = [pageSession(), pageSession(), pageSession()];
  alice.setView({ peers: [peerOf(alice)] });
  const { announced, setPeople, isThere } = renderAnnouncements(alice, new Map());
  await expect.poll(isThere).toBe(true);
  alice.setView({ peers: [peerOf(alice), peerOf(bob), peerOf(carol)] });
  const names: Profile[] = [{ id: bob.user, displayName: 'Bob', color: 'rust' }];
  const setAllPeople = () => setPeople(new Map(names.map((person) => [person.id, person])));
  setAllPeople();
  await expect.poll(announced, { timeout: 6_000 }).toBe('Bob and Someone opened the page.');
  names.push({ id: carol.user, displayName: 'Carol', color: 'orchil' });
  setAllPeople();
  await new Promise((resolve) => setTimeout(resolve, 50));
  alice.setView({ peers: [peerOf(alice), peerOf(bob)] });
  await expect.poll(announced, { timeout: 20_000 }).toBe('Carol left.');
}, 30_000);

test('someone who arrives and leaves before their name is known is not announced', async () => {
  const [alice, bob] = [pageSession(), pageSession()];
  alice.setView({ peers: [peerOf(alice)] });
  const { announced, isThere } = renderAnnouncements(alice, new Map());
  await expect.poll(isThere).toBe(true);
  alice.setView({ peers: [peerOf(alice), peerOf(bob)] });
  alice.setView({ peers: [peerOf(alice)] });
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  expect(announced()).toBe('');
});

test('nodes nested deeper than functions can be end no announcement', async () => {
  const [alice, bob] = [pageSession(), pageSession()];
  connect(alice, bob);
  alice.setView({ peers: [peerOf(alice), peerOf(bob)] });
  const { announced, isThere } = renderAnnouncements(alice, new Map());
  await expect.poll(isThere).toBe(true);
  const block = bodyOf(bob.doc).get(0);
  assert(block instanceof Y.XmlElement, 'a page has a block');
  bob.doc.transact(() => {
    let inner = block;
    for (let depth = 0; depth < 20_000; depth++) {
      const next = new Y.XmlElement('x');
      inner.insert(0, [next]);
      inner = next;
    }
  });
  await expect.poll(announced, { timeout: 6_000 }).toBe('Someone changed the page.');
});
