// Whether a page that was created from a text is still as it was.
import { textOfRuns } from 'weft-document/blocks/block.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { readTitle } from 'weft-document/title.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { readySession } from '../../features/import-export/ready-session.ts';
import type { PersonState } from '../../state/person/person-state.ts';

type Person = Pick<PersonState, 'pages' | 'store'>;

/** Whether nothing was written since the page got its title. */
export async function isBlankPage(id: DocumentId, title: string, person: Person): Promise<boolean> {
  const { value: page, release } = person.pages.acquire(id);
  try {
    const session = await readySession(page, person.store);
    if (session === null) return false;
    const isBlank = parseBody(session.doc).every((block) => block.type === 'block' && textOfRuns(block.runs) === '');
    return isBlank && readTitle(session.doc).trim() === title;
  } finally {
    release();
  }
}
