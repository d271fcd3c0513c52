// The line under a page's title: who changed it last, and when.
import { whenWords } from '../../features/workspace/when-words.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { useNow, usePage, usePerson, useValue } from '../../state/hooks.ts';
import { useListedPage } from './use-page-facts.ts';

const MINUTE_MS = 60_000;

export function PageMeta({ id }: { readonly id: DocumentId }) {
  const { identity, people } = usePerson();
  const known = useValue(people.atom);
  const page = useListedPage(id);
  const now = useNow(MINUTE_MS);
  const queued = useValue(usePage().queuedAtom);
  if (queued !== null) {
    return (
      <span className="held">
        {queued.refused === null ? 'On this device only, until the server answers' : 'On this device only'}
      </span>
    );
  }
  if (page === null || page.updatedBy === null) return null;
  const by = page.updatedBy === identity.id ? 'you' : known.get(page.updatedBy)?.displayName;
  return (
    <span>
      Last edited{by === undefined ? '' : ` by ${by}`}, {whenWords(page.updatedAt, now)}
    </span>
  );
}
