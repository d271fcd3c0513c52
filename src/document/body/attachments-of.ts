// The ids of the attachments in a page's pictures and files, each once. They are reported to the database, so that it
// knows which files no page uses and may be deleted.
import * as Y from 'yjs';
import { FILE, IMAGE, bodyOf } from '../names.ts';

export function attachmentsOf(doc: Y.Doc): readonly string[] {
  const ids = new Set<string>();
  for (const node of bodyOf(doc).toArray()) {
    if (!(node instanceof Y.XmlElement) || (node.nodeName !== IMAGE && node.nodeName !== FILE)) continue;
    const id: unknown = node.getAttribute('file');
    if (typeof id === 'string') ids.add(id);
  }
  return Array.from(ids);
}
