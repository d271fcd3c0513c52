// A person types while the document is rebuilt (L6), and hardly notices: two real sessions over the memory harness, a
// real editor on one of them, and the other user’s rights are revoked while their text is on the screen.
import { StrictMode, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { textOfRuns } from 'weft-document/blocks/block.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { changeTitle } from 'weft-document/title.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import * as Y from 'yjs';
import { PageEditor } from '../../src/editor/page-editor.tsx';
import { wait } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { DOCUMENT, type TestUser, type TestTab, SyncHarness } from '../sync/sync-harness.ts';
import '../../src/ui/theme/tokens.css';
import '../../src/ui/theme/base.css';
import '../../src/ui/controls/controls.css';

beforeAll(() => page.viewport(1000, 600));

const text = (doc: Y.Doc, block: number): Y.XmlText => {
  const element = bodyOf(doc).get(block);
  const words = element instanceof Y.XmlElement ? element.get(0) : null;
  if (words instanceof Y.XmlText) return words;
  throw new Error(`block ${block} has no text`);
};
const lines = (doc: Y.Doc) =>
  parseBody(doc).map((block) => (block.type === 'block' ? textOfRuns(block.runs) : block.type));

/** Like the page's screen: the session says whether the page can be edited. */
function EditablePage({ session }: { readonly session: TestTab['session'] }) {
  const editable = useSyncExternalStore(session.subscribe, () => session.getView().editable);
  return <PageEditor session={session} people={new Map()} editable={editable} />;
}

/**
 * Alice, whose rights are revoked, and Bob, whose screen is tested. Both have typed, so that live updates contain their
 * text.
 */
async function rebuildFixture(...seed: string[]) {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.server.createDocument(DOCUMENT, new Uint8Array(pageSeed(...seed)));
  const [alice, bob] = [harness.user('alice'), harness.user('bob')];
  const a = await alice.opened();
  const b = await bob.opened();
  await harness.run(200);
  changeTitle(a.session.doc, { index: 0, remove: 0, insert: 'Plan' });
  await harness.run(3_000);
  const root = document.body.appendChild(document.createElement('div'));
  const problems: unknown[] = [];
  const react = createRoot(root, { onUncaughtError: (problem) => problems.push(problem) });
  const draw = () =>
    react.render(
      <StrictMode>
        <EditablePage session={b.session} />
      </StrictMode>,
    );
  draw();
  onTestFinished(async () => {
    react.unmount();
    root.remove();
    for (const tab of [a, b]) {
      const closing = tab.session.close();
      await harness.run(1_000);
      await closing;
    }
  });
  await wait(30);
  return { harness, alice, a, b, root, draw, problems };
}

/** No request of this tab succeeds any more; what it writes is shown but never saved. */
const cutHttp = (tab: TestTab) => (tab.faults.before = () => weftError('WF011', 'cut'));

async function revokeAccess(harness: SyncHarness, person: TestUser, b: TestTab) {
  const { rebuilds } = b.view;
  harness.server.setRole(DOCUMENT, person.user, null);
  await harness.run(6_000);
  expect(b.view.rebuilds).toBe(rebuilds + 1);
  await wait(30);
}

const body = () => page.getByRole('textbox', { name: 'Page body' });
const title = () => page.getByRole('textbox', { name: 'Page title' });
const selected = () => String(document.getSelection());

test('[L6] the caret stays where it was, with the focus, and what is typed next is saved', async () => {
  const { harness, alice, a, b, root } = await rebuildFixture('one two three', 'second');
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}{ArrowRight}{ArrowRight}');
  cutHttp(a);
  text(a.session.doc, 0).insert(0, 'secret ');
  text(a.session.doc, 1).insert(0, 'secret ');
  await harness.run(50);
  await expect.poll(() => root.querySelector('.block-text')?.textContent).toBe('secret one two three');
  await userEvent.keyboard('X');
  await revokeAccess(harness, alice, b);
  await expect.element(body()).toHaveFocus();
  await userEvent.keyboard('YZ');
  expect(lines(b.session.doc)).toEqual(['oneXYZ two three', 'second']);
  await harness.run(2_000);
  expect(lines(harness.replay())).toEqual(['oneXYZ two three', 'second']);
  expect(b.view.receipt).toBe('saved');
});

test('[L6] [SY21] a caret that the browser moved in the same moment stays where it is now', async () => {
  const { harness, alice, a, b, root } = await rebuildFixture('one two three');
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}{End}{/Control}');
  cutHttp(a);
  text(a.session.doc, 0).insert(0, 'secret ');
  await harness.run(50);
  await expect.poll(() => root.querySelector('.block-text')?.textContent).toBe('secret one two three');
  const { doc } = b.session;
  // Like a click: the event that reports it comes in its own task, after the new editor is there.
  const stop = b.session.subscribe(() => {
    if (b.session.doc === doc) return;
    stop();
    getSelection()?.collapse(root.querySelector('.block-text')?.firstChild ?? null, 'secret one'.length);
  });
  await revokeAccess(harness, alice, b);
  await userEvent.keyboard('X');
  expect(lines(b.session.doc)).toEqual(['oneX two three']);
});

test('[L6] a selection is restored over the same text', async () => {
  const { harness, alice, a, b } = await rebuildFixture('one two three');
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}{Home}{ArrowRight}{/Control}{Control>}{Shift>}{ArrowRight}{/Shift}{/Control}');
  expect(selected().trim()).toBe('two');
  const before = selected();
  cutHttp(a);
  text(a.session.doc, 0).insert(0, 'secret ');
  await harness.run(50);
  await revokeAccess(harness, alice, b);
  expect(selected()).toBe(before);
});

test('[L6] a caret in a block that disappears moves to the end of the one above', async () => {
  const { harness, alice, a, b } = await rebuildFixture('one three', 'second');
  cutHttp(a);
  text(a.session.doc, 0).insert(4, 'secret ');
  const block = new Y.XmlElement('block');
  block.setAttribute('id', 'secret-block');
  block.setAttribute('kind', 'paragraph');
  block.insert(0, [new Y.XmlText('secret block')]);
  a.session.doc.transact(() => bodyOf(a.session.doc).insert(1, [block]));
  await harness.run(50);
  await userEvent.click(page.getByText('secret block'));
  await revokeAccess(harness, alice, b);
  await expect.element(body()).toHaveFocus();
  await userEvent.keyboard('!');
  expect(lines(b.session.doc)).toEqual(['one three!', 'second']);
});

test('[L6] a caret in text that disappears stands between what is left', async () => {
  const { harness, alice, a, b } = await rebuildFixture('one three');
  cutHttp(a);
  text(a.session.doc, 0).insert(4, 'secret ');
  await harness.run(50);
  await userEvent.click(body());
  await userEvent.keyboard(
    '{Control>}{Home}{/Control}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}',
  );
  await revokeAccess(harness, alice, b);
  await userEvent.keyboard('two ');
  expect(lines(b.session.doc)).toEqual(['one two three']);
});

test('[L6] the title keeps its caret, and its text is edited in the new document', async () => {
  const { harness, alice, a, b } = await rebuildFixture('one');
  cutHttp(a);
  changeTitle(a.session.doc, { index: 0, remove: 0, insert: 'Secret ' });
  await harness.run(50);
  await expect.element(title()).toHaveValue('Secret Plan');
  await userEvent.click(title());
  await userEvent.keyboard('{End}{ArrowLeft}');
  await revokeAccess(harness, alice, b);
  await expect.element(title()).toHaveFocus();
  await userEvent.keyboard('ai');
  expect(titleOf(b.session.doc).toString()).toBe('Plaain');
  await harness.run(2_000);
  expect(titleOf(harness.replay()).toString()).toBe('Plaain');
});

test('[L6] undo takes back what was typed before; a step that deleted something is skipped', async () => {
  const { harness, alice, a, b } = await rebuildFixture('one');
  await userEvent.click(body());
  await userEvent.keyboard('{End} typed');
  await wait(600);
  // A split moves the text after it: half of its undo would lose that text.
  await userEvent.keyboard('{Home}{ArrowRight}');
  await wait(50);
  await userEvent.keyboard('{Enter}');
  await wait(600);
  await userEvent.keyboard('{End} more');
  expect(lines(b.session.doc)).toEqual(['o', 'ne typed more']);
  cutHttp(a);
  text(a.session.doc, 0).insert(0, 'secret ');
  await harness.run(50);
  await revokeAccess(harness, alice, b);
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(lines(b.session.doc)).toEqual(['o', 'ne typed']);
  await userEvent.keyboard('{Control>}z{/Control}{Control>}z{/Control}{Control>}z{/Control}');
  // The split copied "typed": the characters of the first step are gone, and no one may delete the copy.
  expect(lines(b.session.doc)).toEqual(['o', 'ne typed']);
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  expect(lines(b.session.doc)).toEqual(['o', 'ne typed more']);
  await harness.run(2_000);
  expect(lines(harness.replay())).toEqual(['o', 'ne typed more']);
});

test('[L6] the caret’s line keeps its place on the screen', async () => {
  const many = Array.from({ length: 60 }, (_, at) => `line ${at}`);
  const { harness, alice, a, b } = await rebuildFixture(...many);
  await userEvent.click(page.getByText('line 40', { exact: true }));
  cutHttp(a);
  for (let at = 0; at < 10; at += 1) text(a.session.doc, at).insert(0, 'secret '.repeat(60));
  await harness.run(500);
  await wait(50);
  const topOf = () => page.getByText('line 40', { exact: true }).element().getBoundingClientRect().top;
  const before = topOf();
  const scrolled = document.scrollingElement?.scrollTop ?? 0;
  await revokeAccess(harness, alice, b);
  expect(Math.abs(topOf() - before)).toBeLessThan(2);
  expect(document.scrollingElement?.scrollTop).toBeLessThan(scrolled);
});

test('[L6] keys pressed meanwhile are all there, in order', async () => {
  const { harness, alice, a, b } = await rebuildFixture('one ');
  await userEvent.click(body());
  await userEvent.keyboard('{End}');
  cutHttp(a);
  text(a.session.doc, 0).insert(0, 'secret ');
  await harness.run(50);
  harness.server.setRole(DOCUMENT, alice.user, null);
  let typed = '';
  for (let i = 0; i < 60; i += 1) {
    const key = String.fromCodePoint(97 + (i % 26));
    await userEvent.keyboard(key);
    typed += key;
    await harness.run(50);
  }
  await harness.run(3_000);
  expect(b.view.rebuilds).toBe(1);
  expect(lines(b.session.doc)).toEqual([`one ${typed}`]);
  expect(lines(harness.replay())).toEqual([`one ${typed}`]);
});

test('[L6] a reader keeps the scroll position; nothing of the previous editor remains', async () => {
  const { harness, alice, a, b, root } = await rebuildFixture('one', 'two');
  cutHttp(a);
  text(a.session.doc, 0).insert(0, 'secret ');
  await harness.run(50);
  const old = b.session.doc;
  await revokeAccess(harness, alice, b);
  expect(root.querySelectorAll('.page-body').length).toBe(1);
  expect([...root.querySelectorAll('.block-text')].map((block) => block.textContent)).toEqual(['one', 'two']);
  expect([bodyOf(old)._dEH.l.length, titleOf(old)._eH.l.length]).toEqual([0, 0]);
  expect(document.activeElement).toBe(document.body);
});

test('[HI3] a session that starts anew keeps its editor, also when the page is drawn again later, and no mark stays', async () => {
  const { harness, b, draw, problems } = await rebuildFixture('one two three', 'second');
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}{ArrowRight}{ArrowRight}');
  await userEvent.keyboard('X');
  await harness.run(2_000);
  const { sessionId } = b.session;
  harness.server.goBack(DOCUMENT, 1);
  await harness.run(40_000);
  expect(b.session.sessionId).not.toBe(sessionId);
  expect(problems).toEqual([]);
  await wait(30);
  const element = body().element();
  draw();
  await wait(30);
  expect(body().element()).toBe(element);
  await userEvent.click(body());
  await userEvent.keyboard('{Control>}{Home}{/Control}YZ');
  expect(lines(b.session.doc)).toEqual(['YZoneX two three', 'second']);
  await harness.run(2_000);
  expect(lines(harness.replay())).toEqual(['YZoneX two three', 'second']);
  expect(b.view.receipt).toBe('saved');
  // Numbers begin anew: the mark of a saved edit must not stay.
  await harness.run(2_000);
  await wait(2_500);
  expect(document.querySelector('[data-selvedge]')).toBeNull();
});
