// Carets that the browser moves itself while others write. The browser reports them a moment later.
import { type OpenEditor, productEditor, without } from '../../support/editor/editor-variants.ts';
import { guarded } from '../../support/editor/guarded.ts';
import { type OpenedPage, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { twoPeople, wordsOf } from '../../support/editor/two-people.ts';

/** Like End or a click: in the task of the key. `selectionchange` comes in its own task. */
function moveNatively({ editor: { view } }: OpenedPage, at: number): void {
  const { node, offset } = view.domAtPos(at, -1);
  getSelection()?.collapse(node, offset);
}

guarded<OpenEditor, readonly string[]>('text goes where End put the caret, even if another wrote at that moment', {
  on: productEditor,
  off: without('freshSelection'),
  scenario: async (openEditor) => {
    const { alice, bob } = twoPeople(pageSeed('first line', 'last line'));
    const [b, a] = [openEditor(bob), openEditor(alice)];
    b.caret(0, -1);
    a.caret(0, 5);
    await wait(50);
    moveNatively(a, a.editor.state.doc.content.size - 1);
    b.editor.view.dispatch(b.editor.state.tr.insertText('!'));
    await wait(50);
    await a.press(' word');
    return wordsOf(bob);
  },
  kept: ['first line!', 'last line word'],
  lost: ['first word line!', 'last line'],
});
