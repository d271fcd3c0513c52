// The same editor without sync: a session without peers and, once the page is drawn, no binding to a Y.Doc. A key here
// costs what Tiptap, our plugins and the browser cost.
import { Editor } from '@tiptap/core';
import { ySyncPluginKey } from '@tiptap/y-tiptap';
import { createRoot } from 'react-dom/client';
import * as Y from 'yjs';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import { bindingOf } from '../../../src/editor/binding/binding-of.ts';
import { loneSession } from './lone-session.ts';
import '../../../src/ui/theme/fonts.css';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

const root = document.getElementById('root');
if (root === null) throw new Error('no root');
const contents = await fetch('/contents');
const session = loneSession();
Y.applyUpdate(session.doc, new Uint8Array(await contents.arrayBuffer()));
createRoot(root).render(
  <PageEditor session={session} people={new Map()} editable onTools={(tools) => tools !== null && letGo()} />,
);

function letGo(): void {
  const body: object | null = document.querySelector('[aria-label="Page body"]');
  const editor = body !== null && 'editor' in body ? body.editor : null;
  const binding = editor instanceof Editor ? bindingOf(editor.state) : null;
  if (!(editor instanceof Editor) || binding === null) throw new Error('the editor is not here');
  binding.destroy();
  binding._prosemirrorChanged = () => undefined;
  // From now on plugins find no binding and do without positions in the document.
  editor.view.dispatch(editor.state.tr.setMeta(ySyncPluginKey, { binding: null }));
}
