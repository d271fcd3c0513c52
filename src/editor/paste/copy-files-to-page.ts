// Makes pasted pictures and files belong to this page: those of another page are copied, because a file can be read only by people
// who may read its page. Those whose page is unknown are left out.
import type { WritableFiles } from '../../ports/files.ts';
import { parseAttachmentId } from '../../protocol/ids.ts';
import type { PastedBlock } from '../html/pasted-block.ts';

export function copyFilesToPage(
  blocks: readonly PastedBlock[],
  files: Pick<WritableFiles, 'document' | 'copy'> | null,
): readonly PastedBlock[] {
  return blocks.flatMap((block): readonly PastedBlock[] => {
    if (block.type !== 'image' && block.type !== 'file') return [block];
    // A picture that the text only names: `attachPictures` adds its file if the paste has one.
    if (block.type === 'image' && block.file === null) return [block];
    const id = parseAttachmentId(block.file ?? '');
    if (id === null || block.document == null || files === null) return [];
    if (block.document === files.document) return [block];
    return [{ ...block, file: files.copy({ document: block.document, id }, block.name), document: files.document }];
  });
}
