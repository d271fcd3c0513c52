// The pictures in a page's comments. None is cached once it is uploaded: the device would keep it after the person lost the
// right to read the comments.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { FileSource } from '../../ports/files.ts';
import { type MemberPorts, type PersonPageFiles, pageFiles } from './page-files.ts';

export type CommentFilesPorts = Omit<MemberPorts, 'document' | 'source'> & {
  readonly sourceOf: (document: DocumentId) => FileSource;
};

export const commentFiles = (ports: CommentFilesPorts, document: DocumentId): PersonPageFiles =>
  pageFiles(
    {
      ...ports,
      document,
      source: ports.sourceOf(document),
      fileCache: { ...ports.fileCache, put: async () => undefined },
    },
    true,
  );
