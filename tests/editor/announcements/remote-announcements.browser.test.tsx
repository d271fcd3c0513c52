import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { RemoteAnnouncements } from '../../../src/editor/announcements/remote-announcements.tsx';
import type { Profile } from '../../../src/protocol/answers.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';

const peerOf = ({ sessionId, user }: PageSession) => ({ session: sessionId, user });

type People = Parameters<typeof RemoteAnnouncements>[0]['people'];

function listening(session: PageSession, people: People) {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  const meet = (known: People) =>
    react.render(<RemoteAnnouncements session={session} doc={session.doc} people={known} />);
  meet(people);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  const said = () => root.querySelector('[aria-live="polite"]')?.textContent ?? '';
  return { said, meet, isThere: () => root.querySelector('[aria-live="polite"]') !== null };
}

test('arrivals and changes are announced in one sentence; the user’s own edits, also in another tab, are not', async () => {
  const seed = pageSeed('first', 'the harbour opens');
  const [alice, bob, again] = [pageSession(seed), pageSession(seed), pageSession(seed)];
  const adasOtherTab = { ...peerOf(again), user: alice.user };
  connect(alice, bob, again);
  alice.setView({ peers: [peerOf(alice), adasOtherTab] });
  const { said, isThere } = listening(
    alice,
    new Map([[bob.user, { id: bob.user, displayName: 'Bob', color: 'rust' }]]),
  );
  const [a, b, other] = [openPage(alice), openPage(bob), openPage(again)];
  await expect.poll(isThere).toBe(true);
  a.caret(0, -1);
  a.type(' of mine');
  other.caret(0, 0);
  other.type('mine: ');
  alice.setView({ peers: [peerOf(alice), adasOtherTab, peerOf(bob)] });
  b.caret(1, -1);
  b.type(' at six');
  expect(said()).toBe('');
  await expect.poll(said, { timeout: 6_000 }).toBe('Bob opened the page. Bob changed “the harbour opens at six”.');
});

test('an arrival waits until the name is known, and the name is used again when they leave', async () => {
  const [alice, bob, cleo] = [pageSession(), pageSession(), pageSession()];
  alice.setView({ peers: [peerOf(alice)] });
  const { said, meet, isThere } = listening(alice, new Map());
  await expect.poll(isThere).toBe(true);
  alice.setView({ peers: [peerOf(alice), peerOf(bob), peerOf(cleo)] });
  const names: Profile[] = [{ id: bob.user, displayName: 'Bob', color: 'rust' }];
  const meetAll = () => meet(new Map(names.map((person) => [person.id, person])));
  meetAll();
  await expect.poll(said, { timeout: 6_000 }).toBe('Bob and Someone opened the page.');
  names.push({ id: cleo.user, displayName: 'Cleo', color: 'orchil' });
  meetAll();
  await new Promise((resolve) => setTimeout(resolve, 50));
  alice.setView({ peers: [peerOf(alice), peerOf(bob)] });
  await expect.poll(said, { timeout: 20_000 }).toBe('Cleo left.');
}, 30_000);

test('someone who arrives and leaves before their name is known is not announced', async () => {
  const [alice, bob] = [pageSession(), pageSession()];
  alice.setView({ peers: [peerOf(alice)] });
  const { said, isThere } = listening(alice, new Map());
  await expect.poll(isThere).toBe(true);
  alice.setView({ peers: [peerOf(alice), peerOf(bob)] });
  alice.setView({ peers: [peerOf(alice)] });
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  expect(said()).toBe('');
});
