// The editor with a session without peers, for two benchmarks. With `?threads` it has the threads that `/threads` answers, marked
// as the app marks them. Otherwise it has no binding to a Y.Doc once the page is rendered: the cost of a key is then that of
// Tiptap, our plugins and the browser.
import { Editor } from '@tiptap/core';
import { createRoot } from 'react-dom/client';
import * as v from 'valibot';
import * as Y from 'yjs';
import { documentOf, pageBindingKey } from '../../../src/editor/binding/binding-of.ts';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import type { PageTools } from '../../../src/editor/page-tools.ts';
import { anchor } from '../../../src/protocol/comments.ts';
import { threadId } from '../../../src/protocol/shapes.ts';
import { offlineSession } from '../offline-session.ts';
import '../../../src/yjs/install.ts';
import '../../../src/ui/theme/fonts.css';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

const threads = v.array(v.object({ id: threadId, anchor }));
const hasThreads = location.search === '?threads';
const root = document.getElementById('root');
if (root === null) throw new Error('no root');
const [contents, all] = await Promise.all([
  fetch('/contents').then((answer) => answer.arrayBuffer()),
  hasThreads ? fetch('/threads').then(async (answer) => v.parse(threads, await answer.json())) : [],
]);
const session = offlineSession();
Y.applyUpdate(session.doc, new Uint8Array(contents));
const begin = (tools: PageTools): void => (hasThreads ? void mark(tools) : detachBinding());
createRoot(root).render(
  <PageEditor
    session={session}
    people={new Map()}
    editable
    mayComment={hasThreads}
    onTools={(tools) => tools !== null && begin(tools)}
  />,
);

async function mark(tools: PageTools): Promise<void> {
  if (all.length === 0) return;
  const marks = await tools.comments();
  marks.subscribe(() => void marks.places());
  marks.show(all);
}

function detachBinding(): void {
  const body: object | null = document.querySelector('[aria-label="Page body"]');
  const editor = body !== null && 'editor' in body ? body.editor : null;
  if (!(editor instanceof Editor)) throw new Error('there is no editor');
  // The rest of a long page is still to be drawn.
  if (documentOf(editor.state) === null) return void requestAnimationFrame(detachBinding);
  // Without a binding, plugins skip their work on positions in the Y.Doc.
  editor.unregisterPlugin(pageBindingKey);
}
