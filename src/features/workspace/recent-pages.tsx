// Up to twelve pages: those that this person visited last, with the number of changes since, then those of the others
// that changed last. Each with its comments, and a mark for edits that are only on this device.
import { Link } from 'react-router';
import { counted } from '../../lib/text/counted.ts';
import { shortDate } from '../../lib/text/times.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { useAuthorNames, useLiveTitles, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { isNews } from '../../state/workspace/tree/page-index.ts';
import type { WorkspaceHome } from '../../state/workspace/workspace-home.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { ReceiptMark } from '../../ui/mark/receipt-mark.tsx';

const MAX_PAGES = 12;
const MINUTE_MS = 60_000;

type RecentPagesProps = { readonly pages: readonly DocumentSummary[]; readonly home: WorkspaceHome };

export function RecentPages({ pages, home }: RecentPagesProps) {
  const { workspace, unavailableAtom } = useWorkspace();
  const { unsentPagesAtom } = usePerson();
  const unsentPages = useValue(unsentPagesAtom);
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  const unavailable = useValue(unavailableAtom);
  const titles = useLiveTitles();
  const { value } = useValue(home.atom);
  const changes = new Map(value?.summary.changes.map(({ document, count }) => [document, count]));
  // Without the server: first the pages that this device can open.
  const recent = pages
    .filter(isNews)
    .toSorted(
      (a, b) =>
        Number(unavailable.has(a.id)) - Number(unavailable.has(b.id)) ||
        (b.visitedAt ?? 0) - (a.visitedAt ?? 0) ||
        b.updatedAt - a.updatedAt,
    )
    .slice(0, MAX_PAGES)
    .map((page) => ({ ...page, title: titles.get(page.id) ?? page.title }));
  const asideText = (page: DocumentSummary) => {
    if (unavailable.has(page.id)) return 'not on this device';
    if (page.visitedAt !== null) return changesText(changes.get(page.id) ?? 0);
    const by = page.updatedBy === null ? null : nameOf(page.updatedBy);
    return by === null ? null : `by ${by}`;
  };
  const listOf = (title: string, listed: readonly DocumentSummary[]) =>
    listed.length > 0 && (
      <section>
        <h2>{title}</h2>
        <ul className="list">
          {listed.map((page) => {
            const waiting = unsentPages.find((one) => one.document === page.id);
            const aside = asideText(page);
            const at = page.visitedAt ?? page.updatedAt;
            return (
              <li key={page.id} data-unavailable={unavailable.has(page.id) || undefined}>
                <Link className="page-name grow truncate" to={pagePath(workspace.slug, page)}>
                  <bdi>{shownTitle(page.title)}</bdi>
                </Link>
                <CommentCount page={page} />
                {waiting !== undefined ? (
                  <span className="waiting tabular">
                    <ReceiptMark state="device" />
                    Not sent yet
                  </span>
                ) : (
                  aside !== null && (
                    <span className={unavailable.has(page.id) ? 'secondary' : 'secondary hide-on-phones'}>{aside}</span>
                  )
                )}
                <time dateTime={new Date(at).toISOString()}>{shortDate(at, now)}</time>
              </li>
            );
          })}
        </ul>
      </section>
    );
  return (
    <>
      {listOf(
        'Continue where you left off',
        recent.filter(({ visitedAt }) => visitedAt !== null),
      )}
      {listOf(
        'Recently edited',
        recent.filter(({ visitedAt }) => visitedAt === null),
      )}
    </>
  );
}

/** The database counts no further. */
const MAX_CHANGES = 100;

/** Without the number of unread threads: some of them may be resolved, so it is no part of the number of open ones. */
function CommentCount({ page: { openThreads, unreadThreads } }: { readonly page: DocumentSummary }) {
  if (openThreads + unreadThreads === 0) return null;
  return (
    <span className="comment-count secondary">
      {openThreads > 0 && `Comments: ${openThreads.toLocaleString('en')} open`}
      {openThreads > 0 && unreadThreads > 0 && ', '}
      {unreadThreads > 0 && <b>{openThreads > 0 ? 'some unread' : 'Unread comments'}</b>}
    </span>
  );
}

function changesText(count: number): string | null {
  if (count === 0) return null;
  if (count >= MAX_CHANGES) return `${MAX_CHANGES}+ changes since your last visit`;
  return `${counted(count, 'change')} since your last visit`;
}
