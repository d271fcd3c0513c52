// The pages that changed last, newest first, with the number of edits that are only on this device.
import { Link } from 'react-router';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { useAuthorNames, useLiveTitles, useNow, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../state/workspace/page-index.ts';
import { ReceiptMark } from '../../ui/mark/receipt-mark.tsx';
import { shortDate } from '../../lib/short-date.ts';

const MAX_PAGES = 12;
const MINUTE_MS = 60_000;

export function RecentPages({ pages }: { readonly pages: readonly DocumentSummary[] }) {
  const { workspace, unavailableAtom } = useWorkspace();
  const { unsentPagesAtom } = usePerson();
  const unsentPages = useValue(unsentPagesAtom);
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  const unavailable = useValue(unavailableAtom);
  const titles = useLiveTitles();
  // Without the server: first the pages that this device can open.
  const recent = pages
    .toSorted((a, b) => Number(unavailable.has(a.id)) - Number(unavailable.has(b.id)) || b.updatedAt - a.updatedAt)
    .slice(0, MAX_PAGES)
    .map((page) => ({ ...page, title: titles.get(page.id) ?? page.title }));
  const asideText = (page: DocumentSummary) => {
    if (unavailable.has(page.id)) return 'not on this device';
    const by = page.updatedBy === null ? null : nameOf(page.updatedBy);
    return by === null ? null : `by ${by}`;
  };
  return (
    <section>
      <h2>Continue where you left off</h2>
      <ul className="list">
        {recent.map((page) => {
          const waiting = unsentPages.find((one) => one.document === page.id);
          const aside = asideText(page);
          return (
            <li key={page.id} data-unavailable={unavailable.has(page.id) || undefined}>
              <Link className="page-name grow truncate" to={pagePath(workspace.slug, page)}>
                {shownTitle(page.title)}
              </Link>
              {waiting !== undefined ? (
                <span className="waiting tabular">
                  <ReceiptMark state="device" />
                  {waiting.edits === 1 ? '1 edit' : `${waiting.edits} edits`}
                  <span className="hide-on-phones">on this device</span>
                </span>
              ) : (
                aside !== null && (
                  <span className={unavailable.has(page.id) ? 'secondary' : 'secondary hide-on-phones'}>{aside}</span>
                )
              )}
              <time dateTime={new Date(page.updatedAt).toISOString()}>{shortDate(page.updatedAt, now)}</time>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
