// Copies a page, or an earlier version of one: its content with a history of its own. Files are copied by the server. Loaded
// on demand.
import type { DocumentSummary } from '../../protocol/answers.ts';
import { newDocumentId } from '../../protocol/new-ids.ts';
import type { PersonState } from '../../state/person/person-state.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import type { TreePlace } from '../../state/workspace/tree/places.ts';
import { textOf } from '../../texts/error-texts.ts';
import { type ContentFailure, type ContentSource, fillPageWith, withContent } from './page-content.ts';

export type Duplicated = { readonly ok: true; readonly page: DocumentSummary } | ContentFailure;

const NOT_FILLED: ContentFailure = { ok: false, why: 'The copy couldn’t be filled.' };

export function duplicatePage(
  original: ContentSource,
  place: TreePlace,
  person: Pick<PersonState, 'pages' | 'store'>,
  workspace: Pick<OpenWorkspace, 'createPage' | 'trashPage'>,
): Promise<Duplicated> {
  return withContent<Duplicated>(original, person, async (content) => {
    const id = newDocumentId();
    const created = await workspace.createPage(place, id);
    if (!created.ok) return { ok: false, why: textOf(created.error) };
    const filled = await fillPageWith(id, content, person, (title) => (title === '' ? '' : `${title} (copy)`)).catch(
      () => NOT_FILLED,
    );
    if (filled.ok) return { ok: true, page: { ...created.value, title: filled.title } };
    // A blank page would be no copy.
    workspace.trashPage(id);
    return filled;
  });
}
