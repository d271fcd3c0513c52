// Whether a page that was created from a text is still as it was.
import { parseBody } from '../../../document/body/parse-body.ts';
import { textOfRuns } from '../../../document/blocks/block.ts';
import { readTitle } from '../../../document/title.ts';
import { readySession } from '../../../features/import-export/ready-session.ts';
import type { DocumentId } from '../../../protocol/ids.ts';
import type { OpenPage } from '../../../state/page/open-page.ts';
import type { PersonState } from '../../../state/person/person-state.ts';

/** The title's edit goes out within this time, unless the server does not answer. */
const SENT_WITHIN_MS = 3_000;

type Person = Pick<PersonState, 'pages' | 'store'>;

/** Whether nothing was written since the page got its title. Waits until its edits are sent: a page in the trash takes none. */
export async function isBlankPage(id: DocumentId, title: string, person: Person): Promise<boolean> {
  const { value: page, release } = person.pages.acquire(id);
  try {
    const session = await readySession(page, person.store);
    if (session === null) return false;
    await sent(page, person.store);
    const isBlank = parseBody(session.doc).every((block) => block.type === 'block' && textOfRuns(block.runs) === '');
    return isBlank && readTitle(session.doc).trim() === title;
  } finally {
    release();
  }
}

function sent(page: OpenPage, store: Person['store']): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(() => finish(), SENT_WITHIN_MS);
    const check = () => {
      if (!store.get(page.hasUnsentAtom)) finish();
    };
    const stop = store.sub(page.hasUnsentAtom, check);
    check();
  });
}
