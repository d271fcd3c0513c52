import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { restoreViewPosition, saveViewPosition } from '../../../src/editor/binding/view-position.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

test('a caret in a block without an id that is gone goes to the block above, not to another one without an id', () => {
  const seed = pageSeed('first', { text: 'last', id: null });
  const [before, now] = [pageSession(seed), pageSession(seed)];
  const block = new Y.XmlElement('block');
  block.insert(0, [new Y.XmlText('gone')]);
  bodyOf(before.doc).insert(1, [block]);
  const [left, rebuilt] = [openPage(before), openPage(now)];
  left.caret(1, 2);
  restoreViewPosition(rebuilt.editor, saveViewPosition(left.editor));
  expect(rebuilt.editor.state.selection.head).toBe('first'.length + 1);
});
