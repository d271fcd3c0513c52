// The pages that open on this device without the server, with the room they take. Those without unsent edits can be
// removed.
import { useEffect, useState } from 'react';
import { counted } from '../../../lib/text/counted.ts';
import { formatBytes } from '../../../lib/text/format-bytes.ts';
import { shortDate } from '../../../lib/text/times.ts';
import type { CachedDocument } from '../../../ports/device.ts';
import { usePageLocations, usePerson, useValue } from '../../../state/hooks.ts';
import { shownTitle } from '../../../texts/content-texts.ts';
import { useNow } from '../../../ui/browser/use-time.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { toast } from '../../../ui/floating/toast.tsx';

const SHOWN_FIRST = 10;
const MINUTE_MS = 60_000;

export function StoredPages() {
  const { cachedPages } = usePerson();
  const known = useValue(cachedPages.atom);
  const locations = usePageLocations();
  const now = useNow(MINUTE_MS);
  const [pages, setPages] = useState<readonly CachedDocument[]>([]);
  const [shown, setShown] = useState(SHOWN_FIRST);
  useEffect(() => {
    // `known` is another set whenever a page was stored or removed.
    if (known !== null) void cachedPages.list().then((list) => setPages(list ?? []));
  }, [cachedPages, known]);

  const remove = async (removed: readonly CachedDocument[]) => {
    let stayed = 0;
    for (const { document } of removed) if (!(await cachedPages.remove(document))) stayed++;
    if (stayed > 0)
      toast(stayed === 1 ? '1 page stays: a tab has it open.' : `${stayed} pages stay: tabs have them open.`);
  };
  if (pages.length === 0) return null;
  const removable = pages.filter(({ isUnsent }) => !isUnsent);
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <p className="secondary">
        {counted(pages.length, 'page')} available offline, {formatBytes(total)}.
      </p>
      <ul className="device-list" aria-label="Pages on this device">
        {pages.slice(0, shown).map((one) => {
          const page = locations.get(one.document)?.page;
          const title = page === undefined ? 'A page you can’t open here' : shownTitle(page.title);
          return (
            <li key={one.document}>
              <bdi className="grow truncate">{title}</bdi>
              <small className="tabular hide-on-phones">opened {shortDate(one.openedAt, now)}</small>
              <small className="tabular">{formatBytes(one.bytes)}</small>
              {one.isUnsent ? (
                <small>unsent edits</small>
              ) : (
                <Button
                  size="small"
                  look="plain"
                  aria-label={`Remove ${title} from this device`}
                  onClick={() => void remove([one])}
                >
                  Remove
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <div className="actions">
        {pages.length > shown && (
          <Button size="small" onClick={() => setShown(pages.length)}>
            Show {pages.length - shown} more
          </Button>
        )}
        {removable.length > 1 && (
          <Button size="small" onClick={() => void remove(removable)}>
            Remove all from this device
          </Button>
        )}
      </div>
    </>
  );
}
