// A version of a page as a file of any format, and as a page of its own. Loaded on demand.
import { docOfFile } from 'weft-document/formats/doc-of-file.ts';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import { textOf } from '../../texts/error-texts.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { newDocumentId } from '../../protocol/new-ids.ts';
import type { PersonState } from '../../state/person/person-state.ts';
import type { PageFiles } from '../../ports/files.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import type { TreePlace } from '../../state/workspace/tree/places.ts';
import type { Duplicated } from './duplicate-page.ts';
import { type ExportedPage, exportPage } from './export-page.ts';
import type { FileFormat } from './file-formats.ts';
import { fillPageWith, withContent } from './page-content.ts';

export const exportVersion = (file: PageFile, format: FileFormat, files: PageFiles): Promise<ExportedPage> =>
  exportPage(docOfFile(file), format, files);

/** `original` is the page that its pictures and files belong to. */
export function copyVersion(
  file: PageFile,
  original: DocumentId,
  place: TreePlace,
  person: Pick<PersonState, 'pages' | 'store'>,
  createPage: OpenWorkspace['createPage'],
): Promise<Duplicated> {
  return withContent<Duplicated>({ of: 'file', id: original, file }, person, async (content) => {
    const id = newDocumentId();
    const created = await createPage(place, id);
    if (!created.ok) return { ok: false, why: textOf(created.error) };
    const filled = await fillPageWith(id, content, person, (title) => (title === '' ? '' : `${title} (copy)`));
    return filled.ok ? { ok: true, page: { ...created.value, title: filled.title } } : filled;
  });
}
