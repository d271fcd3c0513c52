// T16: a place in a page that is kept or told, as a caret is, while others write before it.
import { trackRemoteCarets } from '../../../src/editor/carets/remote-carets.ts';
import { restoreViewPosition, saveViewPosition } from '../../../src/editor/binding/view-position.ts';
import { trap } from '../../support/editor/guarded.ts';
import type { OpenedPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import type { PageSession } from '../../support/editor/page-session.ts';
import { twoPeople } from '../../support/editor/two-people.ts';
import { asBuilt } from '../../support/editor/stage.ts';

const lettersBehind = ({ editor: { state } }: OpenedPage, at: number): string =>
  state.doc.textBetween(at, Math.min(at + 5, state.doc.content.size));

/** How one tells the other where the caret is; the answer finds it in the other's page, whenever it is asked. */
type Telling = (from: PageSession, sender: OpenedPage, to: PageSession, receiver: OpenedPage) => () => number;

trap('T16', 'a caret of others stays at its letters while one writes before it', {
  on: (from, _sender, to, receiver) => {
    to.showCaret(7, 8, from.awareness.getLocalState()?.['cursor']);
    const tracker = trackRemoteCarets(to.awareness);
    return () => tracker.read(receiver.editor.state, Date.now())[0]?.head ?? -1;
  },
  // A number, as comments of others had it.
  off: (_from, sender) => {
    const { head } = sender.editor.state.selection;
    return () => head;
  },
  scenario: (tell: Telling) => {
    const { alice, bob } = twoPeople(pageSeed('first', 'hello world'));
    const [a, b] = [asBuilt(alice), asBuilt(bob)];
    a.caret(1, 6);
    const find = tell(alice, a, bob, b);
    const before = lettersBehind(b, find());
    b.caret(0, 0);
    b.type('two new words, ');
    return [before, lettersBehind(b, find())];
  },
  kept: ['world', 'world'],
  lost: ['world', ', fir'],
});

type Keeping = (page: OpenedPage) => () => void;

trap('T16', 'a place that is kept for later is found again at its letters', {
  on: ({ editor }) => {
    const place = saveViewPosition(editor);
    return () => restoreViewPosition(editor, place);
  },
  off: ({ editor }) => {
    const { head } = editor.state.selection;
    return () => editor.commands.setTextSelection(head);
  },
  scenario: (keep: Keeping) => {
    const { alice, bob } = twoPeople(pageSeed('first', 'hello world'));
    const [a, b] = [asBuilt(alice), asBuilt(bob)];
    a.caret(1, 6);
    const back = keep(a);
    a.caret(0, 0);
    b.caret(0, 0);
    b.type('two new words, ');
    back();
    return lettersBehind(a, a.editor.state.selection.head);
  },
  kept: 'world',
  lost: ', fir',
});
