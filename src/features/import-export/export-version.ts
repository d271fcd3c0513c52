// A version of a page as a file of any format, and as a page of its own. Loaded on demand.
import { docOfFile } from 'weft-document/formats/doc-of-file.ts';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PageFiles } from '../../ports/files.ts';
import type { PersonState } from '../../state/person/person-state.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import type { TreePlace } from '../../state/workspace/tree/places.ts';
import { type Duplicated, duplicatePage } from './duplicate-page.ts';
import { type ExportedPage, exportPage } from './export-page.ts';
import type { FileFormat } from './file-formats.ts';

export const exportVersion = (file: PageFile, format: FileFormat, files: PageFiles): Promise<ExportedPage> =>
  exportPage(docOfFile(file), format, files);

/** `original` is the page that its pictures and files belong to. */
export const copyVersion = (
  file: PageFile,
  original: DocumentId,
  place: TreePlace,
  person: Pick<PersonState, 'pages' | 'store'>,
  workspace: Pick<OpenWorkspace, 'createPage' | 'trashPage'>,
): Promise<Duplicated> => duplicatePage({ of: 'file', id: original, file }, place, person, workspace);
