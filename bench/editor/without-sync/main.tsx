// The editor without sync: a session without peers and, once the page is rendered, no binding to a Y.Doc. The cost of a key
// here is that of Tiptap, our plugins and the browser.
import { Editor } from '@tiptap/core';
import { createRoot } from 'react-dom/client';
import * as Y from 'yjs';
import { documentOf, pageBindingKey } from '../../../src/editor/binding/binding-of.ts';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import { offlineSession } from '../offline-session.ts';
import '../../../src/yjs/install.ts';
import '../../../src/ui/theme/fonts.css';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

const root = document.getElementById('root');
if (root === null) throw new Error('no root');
const contents = await fetch('/contents');
const session = offlineSession();
Y.applyUpdate(session.doc, new Uint8Array(await contents.arrayBuffer()));
createRoot(root).render(
  <PageEditor session={session} people={new Map()} editable onTools={(tools) => tools !== null && detachBinding()} />,
);

function detachBinding(): void {
  const body: object | null = document.querySelector('[aria-label="Page body"]');
  const editor = body !== null && 'editor' in body ? body.editor : null;
  if (!(editor instanceof Editor)) throw new Error('there is no editor');
  // The rest of a long page is still to be drawn.
  if (documentOf(editor.state) === null) return void requestAnimationFrame(detachBinding);
  // Without a binding, plugins skip their work on positions in the Y.Doc.
  editor.unregisterPlugin(pageBindingKey);
}
