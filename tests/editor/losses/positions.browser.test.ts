// T16: a stored or sent position, such as a caret, while others write before it.
import { restoreViewPosition, saveViewPosition } from '../../../src/editor/binding/view-position.ts';
import { trackRemoteCarets } from '../../../src/editor/carets/remote-carets.ts';
import { productEditor } from '../../support/editor/editor-variants.ts';
import { loss } from '../../support/editor/guarded.ts';
import type { OpenedPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import type { PageSession } from '../../support/editor/page-session.ts';
import { twoPeople } from '../../support/editor/two-people.ts';

const charactersAfter = ({ editor: { state } }: OpenedPage, at: number): string =>
  state.doc.textBetween(at, Math.min(at + 5, state.doc.content.size));

/** Sends one user's caret to another, as the app does. The result finds it in the other’s page at any time. */
type SendCaret = (from: PageSession, sender: OpenedPage, to: PageSession, receiver: OpenedPage) => () => number;

loss('T16', 'a remote caret stays at its characters while someone writes before it', {
  on: (from, _sender, to, receiver) => {
    to.showCaret(7, 8, from.awareness.getLocalState()?.['cursor']);
    const tracker = trackRemoteCarets(to.awareness);
    return () => tracker.read(receiver.editor.state, Date.now())[0]?.head ?? -1;
  },
  // A number, as the comments of other editors stored it.
  off: (_from, sender) => {
    const { head } = sender.editor.state.selection;
    return () => head;
  },
  scenario: (sendCaret: SendCaret) => {
    const { alice, bob } = twoPeople(pageSeed('first', 'hello world'));
    const [a, b] = [productEditor(alice), productEditor(bob)];
    a.caret(1, 6);
    const find = sendCaret(alice, a, bob, b);
    const before = charactersAfter(b, find());
    b.caret(0, 0);
    b.type('two new words, ');
    return [before, charactersAfter(b, find())];
  },
  kept: ['world', 'world'],
  lost: ['world', ', fir'],
});

type SavePosition = (page: OpenedPage) => () => void;

loss('T16', 'a stored position is found again at its characters', {
  on: ({ editor }) => {
    const position = saveViewPosition(editor);
    return () => restoreViewPosition(editor, position);
  },
  off: ({ editor }) => {
    const { head } = editor.state.selection;
    return () => editor.commands.setTextSelection(head);
  },
  scenario: (savePosition: SavePosition) => {
    const { alice, bob } = twoPeople(pageSeed('first', 'hello world'));
    const [a, b] = [productEditor(alice), productEditor(bob)];
    a.caret(1, 6);
    const restore = savePosition(a);
    a.caret(0, 0);
    b.caret(0, 0);
    b.type('two new words, ');
    restore();
    return charactersAfter(a, a.editor.state.selection.head);
  },
  kept: 'world',
  lost: ', fir',
});
