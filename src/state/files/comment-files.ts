// The pictures in a page's comments. Nothing of them is cached: the device would keep it after the person lost the right to read the
// comments.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { err } from '../../lib/result.ts';
import type { FileSource } from '../../ports/files.ts';
import { type MemberPorts, type PersonPageFiles, pageFiles } from './page-files.ts';

export type CommentFilesPorts = Omit<MemberPorts, 'document' | 'source'> & {
  readonly sourceOf: (document: DocumentId) => FileSource;
};

export function commentFiles(ports: CommentFilesPorts, document: DocumentId): PersonPageFiles {
  const { fileCache, uploads } = ports;
  const files = pageFiles({
    ...ports,
    document,
    source: ports.sourceOf(document),
    fileCache: { ...fileCache, put: async () => undefined },
    uploads: { ...uploads, add: (file, parts) => uploads.add({ ...file, isOfComment: true }, parts) },
  });
  return {
    ...files,
    async add(file) {
      const added = await files.add(file);
      if (!added.ok || added.value.kind === 'image') return added;
      files.cancel(added.value.id);
      return err('noPicture');
    },
  };
}
