// Copies a page: its content with a history of its own. Files are copied by the server. Loaded on demand.
import { assert } from '../../lib/assert.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { textOf } from '../../protocol/errors.ts';
import { type DocumentId, parseDocumentId } from '../../protocol/ids.ts';
import type { PersonState } from '../../state/person/person-state.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import type { Place } from '../../state/workspace/places.ts';
import { exportPage } from './export-page.ts';
import { readImport } from './read-import.ts';
import { readySession } from './ready-session.ts';

export type Duplicated =
  | { readonly ok: true; readonly page: DocumentSummary }
  | { readonly ok: false; readonly why: string };

export async function duplicatePage(
  original: DocumentId,
  place: Place,
  person: Pick<PersonState, 'pages' | 'store'>,
  createPage: OpenWorkspace['createPage'],
): Promise<Duplicated> {
  const source = person.pages.acquire(original);
  try {
    const session = await readySession(source.value, person.store);
    if (session === null) return { ok: false, why: 'This page didn’t open.' };
    // The lossless format: what it keeps, a copy keeps.
    const { text } = await exportPage(session.doc, 'json', source.value.files);
    const read = await readImport(new File([text], 'page.json'), () => null);
    if (!read.ok) return { ok: false, why: `The page can’t be copied: ${read.why}.` };
    const id = parseDocumentId(randomUuid());
    assert(id !== null, 'a random uuid is a uuid');
    const created = await createPage(place, id);
    if (!created.ok) return { ok: false, why: textOf(created.error) };
    const copy = person.pages.acquire(id);
    try {
      const written = await readySession(copy.value, person.store);
      if (written === null) return { ok: false, why: 'The copy didn’t open.' };
      const { title } = await read.fill(written.doc, copy.value.files);
      const copyTitle = title === '' ? '' : `${title} (copy)`;
      copy.value.setTitle(copyTitle);
      return { ok: true, page: { ...created.value, title: copyTitle } };
    } finally {
      copy.release();
    }
  } finally {
    source.release();
  }
}
