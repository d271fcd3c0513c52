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
  const [ada, bert, again] = [pageSession(seed), pageSession(seed), pageSession(seed)];
  const adasOtherTab = { ...peerOf(again), user: ada.user };
  connect(ada, bert, again);
  ada.setView({ peers: [peerOf(ada), adasOtherTab] });
  const { said, isThere } = listening(
    ada,
    new Map([[bert.user, { id: bert.user, displayName: 'Bert', color: 'rust' }]]),
  );
  const [a, b, other] = [openPage(ada), openPage(bert), openPage(again)];
  await expect.poll(isThere).toBe(true);
  a.caret(0, -1);
  a.type(' of mine');
  other.caret(0, 0);
  other.type('mine: ');
  ada.setView({ peers: [peerOf(ada), adasOtherTab, peerOf(bert)] });
  b.caret(1, -1);
  b.type(' at six');
  expect(said()).toBe('');
  await expect.poll(said, { timeout: 6_000 }).toBe('Bert opened the page. Bert changed “the harbour opens at six”.');
});

test('an arrival waits until the name is known, and the name is used again when they leave', async () => {
  const [ada, bert, cleo] = [pageSession(), pageSession(), pageSession()];
  ada.setView({ peers: [peerOf(ada)] });
  const { said, meet, isThere } = listening(ada, new Map());
  await expect.poll(isThere).toBe(true);
  ada.setView({ peers: [peerOf(ada), peerOf(bert), peerOf(cleo)] });
  const names: Profile[] = [{ id: bert.user, displayName: 'Bert', color: 'rust' }];
  const meetAll = () => meet(new Map(names.map((person) => [person.id, person])));
  meetAll();
  await expect.poll(said, { timeout: 6_000 }).toBe('Bert and Someone opened the page.');
  names.push({ id: cleo.user, displayName: 'Cleo', color: 'orchil' });
  meetAll();
  await new Promise((resolve) => setTimeout(resolve, 50));
  ada.setView({ peers: [peerOf(ada), peerOf(bert)] });
  await expect.poll(said, { timeout: 20_000 }).toBe('Cleo left.');
}, 30_000);

test('someone who arrives and leaves before their name is known is not announced', async () => {
  const [ada, bert] = [pageSession(), pageSession()];
  ada.setView({ peers: [peerOf(ada)] });
  const { said, isThere } = listening(ada, new Map());
  await expect.poll(isThere).toBe(true);
  ada.setView({ peers: [peerOf(ada), peerOf(bert)] });
  ada.setView({ peers: [peerOf(ada)] });
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  expect(said()).toBe('');
});
