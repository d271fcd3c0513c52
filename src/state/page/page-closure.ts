// Asks the server why a page is closed to this person, or who moved it to the trash, and asks again at each change that may
// concern it.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { PageAccess } from '../../ports/workspace.ts';
import type { WorkspaceChange } from '../../protocol/answers.ts';
import type { Closure } from '../../protocol/people-answers.ts';
import { closureText } from '../../texts/error-texts.ts';
import type { AtomStore } from '../store.ts';

export interface PageClosure {
  /** Null while it is not known, and for a page that is neither closed nor in the trash. */
  readonly atom: Atom<Closure>;
  /** Asks now and at each change that may concern the page, until it is cancelled. */
  readonly follow: () => Cancel;
}

export function pageClosure(options: {
  readonly document: DocumentId;
  readonly store: AtomStore;
  readonly access: Pick<PageAccess, 'whyClosed'>;
  /** Null: changes may have been missed. */
  readonly onChange: (run: (change: WorkspaceChange | null) => void) => Cancel;
}): PageClosure {
  const { document, store, access } = options;
  const closureAtom = atom<Closure>(null);
  let asked = 0;
  const ask = async () => {
    const now = ++asked;
    const answer = await access.whyClosed(document);
    // It was asked again, or no one follows any more.
    if (answer.ok && now === asked) store.set(closureAtom, answer.value);
  };
  return {
    atom: closureAtom,
    follow() {
      void ask();
      const stop = options.onChange((change) => {
        if (change === null || change.kind === 'document' || change.kind === 'access') void ask();
      });
      return () => {
        stop();
        asked++;
        store.set(closureAtom, null);
      };
    },
  };
}

/** `me`: the person who reads it. */
export const textOfClosure = ({ kind, by, byName }: NonNullable<Closure>, me: UserId): string =>
  closureText(kind, by === me ? 'You' : byName);
