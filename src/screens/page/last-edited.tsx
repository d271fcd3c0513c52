// In the line under a page's title: who edited it last and when, or that the page is on this device only.
import { useEffect } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { shortDate } from '../../lib/text/times.ts';
import { useAuthorNames, useListedPage, usePage, usePerson, useValue } from '../../state/hooks.ts';
import { newestEdit } from '../../state/page/last-edit.ts';
import { useNow } from '../../ui/browser/use-time.ts';

const MINUTE_MS = 60_000;

export function LastEdited({ id }: { readonly id: DocumentId }) {
  const { people } = usePerson();
  const nameOf = useAuthorNames();
  const page = useListedPage(id);
  const now = useNow(MINUTE_MS);
  const { pendingAtom, openedAtom, lastEditAtom } = usePage();
  const queued = useValue(pendingAtom);
  const edit = newestEdit([page, useValue(openedAtom)], useValue(lastEditAtom));
  const by = edit?.by ?? null;
  useEffect(() => {
    if (by !== null) people.ensureLoaded([by]);
  }, [people, by]);
  if (queued !== null) {
    return (
      <span className="held">
        {queued.refused === null ? 'On this device only until the server answers' : 'On this device only'}
      </span>
    );
  }
  if (edit === null || by === null) return null;
  const name = nameOf(by);
  return (
    <span>
      Last edited{name === null ? '' : ` by ${name}`}, {shortDate(edit.at, now)}
    </span>
  );
}
