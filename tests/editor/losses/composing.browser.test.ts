// T15: text is composed (IME) while others write in the same text. This drives the browser’s own composition, like an
// input method.
import { expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { turnInto } from '../../../src/editor/blocks/block-commands.ts';
import { type OpenEditor, productEditor, without } from '../../support/editor/editor-variants.ts';
import { loss } from '../../support/editor/guarded.ts';
import { type OpenedPage, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { twoPeople, wordsOf } from '../../support/editor/two-people.ts';

/** The word so far, underlined, with the caret after it. */
const compose = (text: string) =>
  cdp().send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });

/** The word that the user chose. */
const commit = (text: string) => cdp().send('Input.insertText', { text });

type Composing = { readonly openEditor: OpenEditor; readonly act: (other: OpenedPage, part: number) => void };

/** Alice composes a word of three parts, and another person acts after each. */
async function composeWord({ openEditor, act }: Composing): Promise<readonly [string, string, string]> {
  const { alice, bob } = twoPeople(pageSeed('start end'));
  const [a, b] = [openEditor(alice), openEditor(bob)];
  a.caret(0, 6);
  for (const [part, characters] of ['に', 'にほ', 'にほん'].entries()) {
    await compose(characters);
    await wait(30);
    act(b, part);
    await wait(30);
  }
  await commit('日本');
  await wait(120);
  return [wordsOf(alice).join(), wordsOf(bob).join(), a.editor.state.doc.textContent];
}

const turn: Composing['act'] = ({ editor: { state, view } }, part) => {
  if (part === 1) turnInto({ kind: 'heading', level: 2 })(state, view.dispatch, view);
};

loss('T15', 'a word is composed to its end while another turns its block into a heading', {
  on: { openEditor: productEditor, act: turn },
  off: { openEditor: without('pauseWhileComposing'), act: turn },
  scenario: composeWord,
  kept: ['start 日本end', 'start 日本end', 'start 日本end'],
  lost: ['start にほ日本end', 'start にほ日本end', 'start にほ日本end'],
});

const typeThere: Composing['act'] = ({ editor: { state, view } }) => view.dispatch(state.tr.insertText('b', 7));

loss('T15', 'a word is composed to its end while another types at the same place', {
  on: { openEditor: productEditor, act: typeThere },
  off: { openEditor: without('pauseWhileComposing'), act: typeThere },
  scenario: composeWord,
  kept: ['start bbb日本end', 'start bbb日本end', 'start bbb日本end'],
  lost: ['start bbbににほにほん日本end', 'start bbbににほにほん日本end', 'start bbbににほにほん日本end'],
});

test('[T15] remote edits come while a composition goes on, however long it takes, and nothing is lost', async () => {
  const { alice, bob } = twoPeople(pageSeed('start end', 'second'));
  const [a, b] = [productEditor(alice), productEditor(bob)];
  b.caret(1, -1);
  a.caret(0, 6);
  await compose('に');
  await wait(20);
  b.type(' of bob');
  await wait(300);
  expect(wordsOf(alice)[1]).toBe('second');
  // Local characters are sent meanwhile.
  expect(wordsOf(bob)[0]).toContain('に');
  await expect.poll(() => wordsOf(alice)[1], { timeout: 10_000 }).toBe('second of bob');
  b.type('!');
  await wait(50);
  expect(wordsOf(alice)[1]).toBe('second of bob');
  await compose('にほ');
  await commit('日');
  await expect.poll(() => wordsOf(alice)).toEqual(['start 日end', 'second of bob!']);
  expect(wordsOf(bob)).toEqual(wordsOf(alice));
  expect(a.editor.state.doc.textContent).toBe('start 日endsecond of bob!');
});
