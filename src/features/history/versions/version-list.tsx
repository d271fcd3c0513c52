// The list of versions: under the headings of their days, filtered by person, with or without editing sessions.
// Scrolling loads more.
import Bookmark from 'lucide-react/icons/bookmark';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, useEffect, useRef } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { EDITING_SESSION_PAUSE_MS } from 'weft-sync/protocol/limits.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Menu, MenuCheckItem } from '../../../ui/floating/menu.tsx';
import type { Who, WhoIs } from '../who.ts';
import type { ListedVersions } from './use-versions.ts';
import { type VersionEntry, type VersionFilter, dayHeadings } from './version-entries.ts';
import { VersionRow } from './version-row.tsx';
import type { WordCounts } from './word-counts.ts';
import './versions.css';

type VersionListProps = {
  /** False where something else says that these are versions. */
  readonly hasHeading: boolean;
  readonly versions: ListedVersions;
  readonly entries: readonly VersionEntry[];
  readonly filter: VersionFilter;
  readonly onFilter: (filter: VersionFilter) => void;
  /** Everyone who wrote on the page, as far as the reader may know. */
  readonly authors: readonly Who[];
  readonly whoIs: WhoIs;
  readonly counts: WordCounts;
  readonly now: number;
  /** The id of the entry that is shown. */
  readonly shown: string | null;
  readonly onShow: (entry: VersionEntry) => void;
  /** Null for entries with which nothing can be done. */
  readonly renderMenu: (entry: VersionEntry) => ReactNode | null;
};

export function VersionList(props: VersionListProps) {
  const { hasHeading, versions, entries, filter, onFilter, authors, whoIs, counts, now, shown, onShow } = props;
  const days = dayHeadings(entries, now);
  const newest = entries.find(({ type }) => type === 'editingSession');
  const chosen = filter.person === null ? 'Everyone' : whoIs(filter.person).short;
  const choose = (person: UserId | null) => onFilter({ ...filter, person });
  return (
    <>
      <header className="versions-head">
        {hasHeading && <h2 className="grow">Versions</h2>}
        {authors.length > 0 && (
          <Menu
            align="end"
            trigger={
              <Button look="plain" className="pick" aria-label={`Whose versions: ${chosen}`}>
                <span className="truncate">{chosen}</span>
                <ChevronDown className="icon" aria-hidden size={14} />
              </Button>
            }
          >
            <MenuCheckItem checked={filter.person === null} onCheckedChange={() => choose(null)}>
              Everyone
            </MenuCheckItem>
            {authors.map(({ id, short, name }) => (
              <MenuCheckItem key={id} checked={filter.person === id} onCheckedChange={() => choose(id)}>
                {name === 'you' ? short : name}
              </MenuCheckItem>
            ))}
          </Menu>
        )}
        {!hasHeading && <span className="grow" />}
        <IconButton
          label="Only named versions"
          aria-pressed={filter.onlyNamed}
          onClick={() => onFilter({ ...filter, onlyNamed: !filter.onlyNamed })}
        >
          <Bookmark className="icon" aria-hidden size={16} />
        </IconButton>
      </header>
      {versions.error !== null && (
        <div className="versions-note" role="alert">
          <p>{textOf(versions.error)}</p>
          <Button size="small" onClick={versions.retry}>
            Try now
          </Button>
        </div>
      )}
      {versions.editingSessions === null && versions.error === null ? (
        <Skeleton label="Loading versions" widths={['60%', '80%', '70%']} />
      ) : (
        <ul aria-label="Versions" className="version-list">
          {entries.map((entry, at) => (
            <VersionRow
              key={entry.id}
              entry={entry}
              day={days[at] ?? null}
              isShown={entry.id === shown}
              isNow={entry === newest && filter.person === null && now - entry.at < EDITING_SESSION_PAUSE_MS}
              whoIs={whoIs}
              counts={counts}
              onShow={() => onShow(entry)}
              menu={props.renderMenu(entry)}
            />
          ))}
        </ul>
      )}
      {versions.editingSessions !== null && entries.length === 0 && (
        <p className="versions-note">{filter.onlyNamed ? 'No named versions yet.' : 'Nothing by this person.'}</p>
      )}
      {versions.error === null && !versions.isWhole && versions.editingSessions !== null && !filter.onlyNamed && (
        <More onMore={versions.more} />
      )}
    </>
  );
}

/** Loads more when it comes into sight, or by its button. */
function More({ onMore }: { readonly onMore: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [onMore]);
  return (
    <div ref={element} className="versions-note">
      <Button look="plain" size="small" onClick={onMore}>
        Show older versions
      </Button>
    </div>
  );
}
