// T7, T10, T11, T12, T14: the guards between the editor and the document.
import { bodyOf } from 'weft-document/names.ts';
import { REMOTE_ORIGIN } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { EDITOR_ORIGIN } from '../../../src/editor/binding/binding-of.ts';
import { type OpenEditor, productEditor, withTiptapBinding } from '../../support/editor/editor-variants.ts';
import { loss } from '../../support/editor/guarded.ts';
import type { OpenedPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, pageSession } from '../../support/editor/page-session.ts';
import { twoPeople, wordsOf } from '../../support/editor/two-people.ts';

function textOf({ doc }: PageSession): Y.XmlText {
  const block = bodyOf(doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
}

loss('T7', 'an exception while showing a remote edit stays in the editor', {
  on: productEditor,
  off: withTiptapBinding(),
  scenario: (openEditor: OpenEditor) => {
    const { alice, bob } = twoPeople(pageSeed('one'));
    const { view } = openEditor(alice).editor;
    const dispatch = view.dispatch.bind(view);
    let failures = 0;
    Object.defineProperty(view, 'dispatch', {
      configurable: true,
      value: (transaction: Parameters<typeof dispatch>[0]) => {
        if (failures++ === 0) throw new RangeError('Position 7 out of range');
        dispatch(transaction);
      },
    });
    let thrown: unknown = null;
    try {
      textOf(bob).insert(3, ' and more');
    } catch (error) {
      thrown = error instanceof Error ? error.message : error;
    }
    return { thrown, shown: view.state.doc.textContent };
  },
  kept: { thrown: null, shown: 'one and more' },
  lost: { thrown: 'Position 7 out of range', shown: 'one' },
});

type Undoing = (session: PageSession, seed: Uint8Array) => { readonly page: OpenedPage; readonly undo: Y.UndoManager };

loss('T10', 'undo right after the first words takes those back, and not the page', {
  on: (session, seed) => {
    Y.applyUpdate(session.doc, seed, REMOTE_ORIGIN);
    const page = productEditor(session);
    return { page, undo: page.undo };
  },
  // Every origin, from before the page was opened.
  off: (session, seed) => {
    const trackedOrigins = new Set<unknown>([REMOTE_ORIGIN, EDITOR_ORIGIN]);
    const undo = new Y.UndoManager(bodyOf(session.doc), { trackedOrigins });
    Y.applyUpdate(session.doc, seed, REMOTE_ORIGIN);
    return { page: productEditor(session), undo };
  },
  scenario: (open: Undoing) => {
    const session = pageSession(new Uint8Array([0, 0]));
    const { page, undo } = open(session, pageSeed('what others wrote'));
    page.caret(0, -1);
    page.type(' and I');
    undo.undo();
    return wordsOf(session);
  },
  kept: ['what others wrote'],
  lost: [],
});

type Replacing = (page: OpenedPage, session: PageSession) => void;

loss('T11', 'an emoji that is changed by its half stays a character', {
  on: ({ editor: { state, view } }) => view.dispatch(state.tr.insertText('\uDE03', 2, 3)),
  // Exactly as the step describes it.
  off: (_page, session) => {
    session.doc.transact(() => {
      textOf(session).delete(1, 1);
      textOf(session).insert(1, '\uDE03');
    }, EDITOR_ORIGIN);
  },
  scenario: (replace: Replacing) => {
    const { alice, bob } = twoPeople(pageSeed('😀 yes'));
    replace(productEditor(alice), alice);
    return wordsOf(bob)[0]?.replaceAll('\uFFFD', '?');
  },
  kept: '😃 yes',
  lost: '?? yes',
});

loss('T12', 'a closed editor leaves nothing on the document', {
  on: (page) => page.close(),
  off: ({ editor }) => editor.destroy(),
  scenario: (close: (page: OpenedPage) => void) => {
    const session = pageSession(pageSeed('one'));
    const listeners = () => [...session.doc._observers].reduce((sum, [, all]) => sum + all.size, 0);
    const before = listeners();
    for (let times = 0; times < 3; times++) close(productEditor(session));
    return listeners() > before ? 'more listeners' : 'as before';
  },
  kept: 'as before',
  lost: 'more listeners',
});
