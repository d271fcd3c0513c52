// PastedBlock pictures and files as this page's own: what belongs to another page is copied for this one, with a right to see it
// of its own; what cannot be said whose it is stays outside.
import { parseAttachmentId } from '../../protocol/ids.ts';
import type { WritableFiles } from '../../state/file-ports.ts';
import type { PastedBlock } from '../html/pasted-block.ts';

export function ownFiles(blocks: readonly PastedBlock[], files: WritableFiles | null): readonly PastedBlock[] {
  return blocks.flatMap((block): readonly PastedBlock[] => {
    if (block.type !== 'image' && block.type !== 'file') return [block];
    // A picture that a text names: its file is still to be given.
    if (block.type === 'image' && block.file === null) return [block];
    const id = parseAttachmentId(block.file ?? '');
    if (id === null || block.document == null || files === null) return [];
    if (block.document === files.document) return [block];
    return [{ ...block, file: files.copy({ document: block.document, id }, block.name), document: files.document }];
  });
}
