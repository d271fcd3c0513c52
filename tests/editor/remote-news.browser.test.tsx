import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { RemoteNews } from '../../src/editor/remote-news.tsx';
import { openPage } from '../support/opened-page.ts';
import { pageSeed } from '../support/page-seed.ts';
import { type PageSession, connect, pageSession } from '../support/page-session.ts';

const peerOf = ({ sessionId, user }: PageSession) => ({ session: sessionId, user });

function listen(session: PageSession, people: Parameters<typeof RemoteNews>[0]['people']): () => string {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  react.render(<RemoteNews session={session} doc={session.doc} people={people} />);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  return () => root.querySelector('[aria-live="polite"]')?.textContent ?? '';
}

test('who came and what they changed is said in one sentence; own words and those of an own other tab are not', async () => {
  const seed = pageSeed('first', 'the harbour opens');
  const [ada, bert, again] = [pageSession(seed), pageSession(seed), pageSession(seed)];
  const adasOtherTab = { ...peerOf(again), user: ada.user };
  connect(ada, bert, again);
  ada.setView({ roster: [peerOf(ada), adasOtherTab] });
  const said = listen(ada, new Map([[bert.user, { id: bert.user, displayName: 'Bert', color: 'rust' }]]));
  const [a, b, other] = [openPage(ada), openPage(bert), openPage(again)];
  await expect.poll(() => document.querySelector('[aria-live="polite"]')).not.toBeNull();
  a.caret(0, -1);
  a.type(' of mine');
  other.caret(0, 0);
  other.type('mine: ');
  ada.setView({ roster: [peerOf(ada), adasOtherTab, peerOf(bert)] });
  b.caret(1, -1);
  b.type(' at six');
  expect(said()).toBe('');
  await expect.poll(said, { timeout: 6_000 }).toBe('Bert opened the page. Bert changed “the harbour opens at six”.');
});
