// The files that one paste adds to the page.
import type { WritableFiles } from '../../ports/files.ts';
import type { AttachmentId } from '../../protocol/ids.ts';

export type AddedFiles = Pick<WritableFiles, 'document' | 'add' | 'copy'> & {
  /** Call it if nothing is inserted. */
  readonly cancelAll: () => void;
};

export function addedFiles(files: WritableFiles): AddedFiles {
  const ids: AttachmentId[] = [];
  return {
    document: files.document,
    async add(file) {
      const added = await files.add(file);
      if (added.ok) ids.push(added.value.id);
      return added;
    },
    copy(from, name) {
      const id = files.copy(from, name);
      ids.push(id);
      return id;
    },
    cancelAll: () => ids.forEach((id) => files.cancel(id)),
  };
}
