// Imports files as pages. Each file but the pictures becomes a new page, filled in one edit, which is sent like any
// other edit.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PictureFailure } from '../../editor/html/attach-pictures.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { newDocumentId } from '../../protocol/new-ids.ts';
import type { PersonState } from '../../state/person/person-state.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import { textOf } from '../../texts/error-texts.ts';
import { isPicture, picturesBeside } from './pictures-beside.ts';
import { readySession } from './ready-session.ts';

export type ImportResult = {
  readonly imported: readonly DocumentSummary[];
  readonly failed: readonly PictureFailure[];
  /** At least one file has comments, which were left out. */
  readonly hadComments: boolean;
};

/** More files are a mistake, such as a whole disk dropped on the window. */
const MAX_FILES = 500;
/** It is gone, for example, since it was chosen. */
const UNREADABLE = { ok: false, why: 'it couldn’t be read' } as const;

export async function importFiles(
  files: readonly File[],
  person: Pick<PersonState, 'pages' | 'store'>,
  createPage: OpenWorkspace['createPage'],
  announce: (pages: readonly DocumentId[]) => Promise<unknown>,
): Promise<ImportResult> {
  const { readImport } = await import('./read-import.ts');
  const imported: DocumentSummary[] = [];
  let hadComments = false;
  const pictures = picturesBeside(files);
  const pages = files.filter((file) => !isPicture(file));
  const failed: PictureFailure[] = pages
    .slice(MAX_FILES)
    .map(({ name }) => ({ name, why: `at most ${MAX_FILES} files at once` }));
  const chosen = pages.slice(0, MAX_FILES).map((file) => ({ file, id: newDocumentId() }));
  // The activity shows pages announced together as one import. If the call fails, each gets a line of its own.
  if (chosen.length > 1) await announce(chosen.map(({ id }) => id));
  for (const { file, id } of chosen) {
    const read = await readImport(file, pictures.find).catch(() => UNREADABLE);
    if (!read.ok) {
      failed.push({ name: file.name, why: read.why });
      continue;
    }
    const page = await createPage({ parent: null }, id);
    if (!page.ok) {
      failed.push({ name: file.name, why: textOf(page.error) });
      continue;
    }
    const lease = person.pages.acquire(id);
    try {
      const session = await readySession(lease.value, person.store);
      if (session === null) failed.push({ name: file.name, why: 'its page didn’t open' });
      else {
        const { title, pictureFailures } = await read.fill(session.doc, lease.value.files);
        failed.push(...pictureFailures);
        imported.push({ ...page.value, title });
        hadComments ||= read.hasComments === true;
      }
    } catch {
      failed.push({ name: file.name, why: 'its page couldn’t be filled' });
    } finally {
      lease.release();
    }
  }
  for (const { name } of pictures.unused()) failed.push({ name, why: 'no page uses it' });
  return { imported, failed, hadComments };
}
