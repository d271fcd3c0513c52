import { expect, test } from 'vitest';
import { find, findResultOf, goToNext, replaceAll, replaceOne } from '../../../src/editor/find/find-in-page.ts';
import type { FindQuery } from '../../../src/editor/find/search-pattern.ts';
import { type OpenedPage, linesOf, openPage, textsOf } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

const search = (page: OpenedPage, text: string, more: Partial<FindQuery> = {}) =>
  find(page.editor, { text, isRegex: false, isCaseSensitive: false, isWholeWord: false, ...more });

/** The matches as text, and the index of the current one. */
function shown({ editor }: OpenedPage) {
  const found = findResultOf(editor.state);
  const words = found?.matches.map(({ from, to }) => editor.state.doc.textBetween(from, to));
  const drawn = [...editor.view.dom.querySelectorAll('.found')].map((element) => element.textContent);
  return { words, at: found?.at, drawn };
}

const SEED = pageSeed('Tide check at ten', { kind: 'code', text: 'tide()' }, 'the tides, the Tide');

test('matches in all blocks are drawn and visited, wrapping around at the end', () => {
  const page = openPage(pageSession(SEED));
  search(page, 'tide');
  expect(shown(page)).toEqual({
    words: ['Tide', 'tide', 'tide', 'Tide'],
    at: 0,
    drawn: ['Tide', 'tide', 'tide', 'Tide'],
  });
  goToNext(page.editor, -1);
  expect(shown(page).at).toBe(3);
  goToNext(page.editor, 1);
  expect(shown(page).at).toBe(0);
  search(page, 'tide', { isCaseSensitive: true, isWholeWord: true });
  expect(shown(page).words).toEqual(['tide']);
  find(page.editor, null);
  expect(shown(page)).toEqual({ words: undefined, at: undefined, drawn: [] });
});

test('the search begins at the caret', () => {
  const page = openPage(pageSession(SEED));
  page.caret(2, 0);
  search(page, 'tide');
  expect(shown(page).at).toBe(2);
});

test('an invalid pattern is reported and finds nothing', () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  search(page, '(', { isRegex: true });
  expect(findResultOf(page.editor.state)?.problem).not.toBe('');
  expect(shown(page).words).toEqual([]);
  expect(replaceAll(page.editor, page.undo, 'x')).toBe(0);
  expect(session.localUpdates).toEqual([]);
});

test('replacing one match goes on to the next, and a replacement that contains the query is not found at once', () => {
  const session = pageSession(pageSeed('a b a'));
  const page = openPage(session);
  page.caret(0, 0);
  search(page, 'a');
  replaceOne(page.editor, page.undo, 'aa');
  expect(textsOf(session)).toEqual(['aa b a']);
  replaceOne(page.editor, page.undo, 'c');
  expect(textsOf(session)).toEqual(['aa b c']);
});

test('replacing all is one undo step, keeps marks, and fills in groups of the pattern', () => {
  const session = pageSession(
    pageSeed({ text: '14 June and 15 June', marks: { bold: {} } }, { kind: 'task', text: '1 July' }),
  );
  const page = openPage(session);
  search(page, '(\\d+) (June|July)', { isRegex: true });
  expect(replaceAll(page.editor, page.undo, '$2 $1')).toBe(3);
  expect(linesOf(session)).toEqual(['paragraph: <bold:June 14 and June 15>', 'task: July 1']);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: <bold:14 June and 15 June>', 'task: 1 July']);
});

test('many matches in many blocks are all replaced, each in its place', () => {
  const session = pageSession(pageSeed('a a a', 'ba ab aa', '', 'a'.repeat(200)));
  const page = openPage(session);
  search(page, 'a');
  expect(replaceAll(page.editor, page.undo, 'xyz')).toBe(3 + 4 + 200);
  expect(textsOf(session)).toEqual(['xyz xyz xyz', 'bxyz xyzb xyzxyz', '', 'xyz'.repeat(200)]);
  page.undo.undo();
  expect(textsOf(session)).toEqual(['a a a', 'ba ab aa', '', 'a'.repeat(200)]);
});

test('replacing with nothing deletes the text; a read-only page does not change', () => {
  const session = pageSession(pageSeed('so very very good'));
  const page = openPage(session);
  search(page, 'very ');
  replaceAll(page.editor, page.undo, '');
  expect(textsOf(session)).toEqual(['so good']);
  const watched = pageSession(pageSeed('so very good'));
  const reader = openPage(watched, false);
  search(reader, 'very');
  expect(shown(reader).words).toEqual(['very']);
  expect(replaceAll(reader.editor, reader.undo, '')).toBe(0);
  expect(watched.localUpdates).toEqual([]);
});

test('while another types in the same block, matches follow the text, and only they are replaced', () => {
  const seed = pageSeed('one two three two', 'two');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  const wire = connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  a.caret(0, 0);
  search(a, 'two');
  goToNext(a.editor, 1);
  b.caret(0, 0);
  b.type('two and ');
  expect(shown(a).words).toEqual(['two', 'two', 'two', 'two']);
  // The current match is still the second "two" of before.
  expect(shown(a).at).toBe(2);
  b.caret(0, -1);
  b.editor.commands.deleteRange({ from: 9, to: 12 });
  expect(textsOf(alice)[0]).toBe('two and  two three two');
  replaceOne(a.editor, a.undo, '2');
  expect(textsOf(alice)[0]).toBe('two and  two three 2');
  wire.offline();
  replaceAll(a.editor, a.undo, '2');
  b.caret(0, 4);
  b.type('BBB ');
  wire.online();
  expect(textsOf(alice)).toEqual(['2 BBB and  2 three 2', '2']);
  expect(a.shown()).toEqual(b.shown());
  a.undo.undo();
  expect(textsOf(alice)).toEqual(['two BBB and  two three 2', 'two']);
});
