// A page with the threads that `/threads` answers, marked as the app marks them.
import { createRoot } from 'react-dom/client';
import * as v from 'valibot';
import * as Y from 'yjs';
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
const root = document.getElementById('root');
if (root === null) throw new Error('no root');
const [contents, listed] = await Promise.all([fetch('/contents'), fetch('/threads')]);
const session = offlineSession();
Y.applyUpdate(session.doc, new Uint8Array(await contents.arrayBuffer()));
const all = v.parse(threads, await listed.json());
createRoot(root).render(
  <PageEditor
    session={session}
    people={new Map()}
    editable
    mayComment
    onTools={(tools) => tools !== null && void mark(tools)}
  />,
);

async function mark(tools: PageTools): Promise<void> {
  if (all.length === 0) return;
  const marks = await tools.comments();
  marks.subscribe(() => void marks.places());
  marks.show(all);
}
