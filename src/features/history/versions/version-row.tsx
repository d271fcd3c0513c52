// One row of the list: a sitting or a version, with its people, its words and a menu.
import Bookmark from 'lucide-react/icons/bookmark';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Sitting } from '../../../protocol/history-answers.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/floating/menu.tsx';
import { PersonTag } from '../../../ui/people/person-tag.tsx';
import { spanOf, timeOf, wordsText } from '../moments.ts';
import { type WhoIs, namesOf } from '../who.ts';
import { type Entry, versionName } from './version-entries.ts';
import type { WordCounts } from './word-counts.ts';

const MAX_TAGS = 3;

type VersionRowProps = {
  readonly entry: Entry;
  /** The heading of the day that begins with it. */
  readonly day: string | null;
  readonly isShown: boolean;
  /** The sitting that goes on now. */
  readonly isNow: boolean;
  readonly whoIs: WhoIs;
  readonly counts: WordCounts | null;
  readonly onShow: () => void;
  readonly menu: ReactNode;
};

export function VersionRow({ entry, day, isShown, isNow, whoIs, counts, onShow, menu }: VersionRowProps) {
  const isVersion = entry.type === 'version';
  const people = (isVersion ? [entry.version.createdBy] : entry.sitting.authors).map(whoIs);
  const name = isVersion ? versionName(entry.version) : isNow ? 'Now' : spanOf(entry.sitting.from, entry.sitting.to);
  return (
    <li className="version">
      {day !== null && <h3>{day}</h3>}
      <div className="version-row" data-shown={isShown || undefined}>
        <button type="button" className="version-button" aria-current={isShown ? 'true' : undefined} onClick={onShow}>
          <span className="version-name" data-named={isVersion || undefined}>
            {isVersion && <Bookmark className="icon" aria-hidden size={14} />}
            <span className="truncate" dir="auto">
              {name}
            </span>
          </span>
          <span className="version-words">
            {isVersion ? (
              <VersionLine entry={entry} whoIs={whoIs} />
            ) : (
              <SittingLine sitting={entry.sitting} isNow={isNow} counts={counts} />
            )}
          </span>
          <span className="sr-only">{isVersion ? '' : `By ${namesOf(people, 6)}`}</span>
        </button>
        <span className="version-tags" aria-hidden="true">
          {people.slice(0, MAX_TAGS).map(({ id, initialsOf, dye, picture }, at) => (
            <PersonTag key={id ?? at} name={initialsOf} color={dye} picture={picture} size="small" />
          ))}
          {people.length > MAX_TAGS && <span className="version-more">+{people.length - MAX_TAGS}</span>}
        </span>
        <Menu
          align="end"
          trigger={
            <IconButton label={`More for ${name}`} className="version-menu">
              <Ellipsis className="icon" aria-hidden size={16} />
            </IconButton>
          }
        >
          {menu}
        </Menu>
      </div>
    </li>
  );
}

function VersionLine({
  entry,
  whoIs,
}: {
  readonly entry: Entry & { readonly type: 'version' };
  readonly whoIs: WhoIs;
}) {
  const { name, kind, createdBy } = entry.version;
  const who = whoIs(createdBy);
  const by = who.name === 'you' || who.id === null ? who.name : who.short;
  return (
    <>
      {timeOf(entry.at)} · {kind === 'named' || name !== null ? `named by ${by}` : `by ${by}`}
    </>
  );
}

type SittingLineProps = {
  readonly sitting: Sitting;
  readonly isNow: boolean;
  readonly counts: WordCounts | null;
};

function SittingLine({ sitting, isNow, counts }: SittingLineProps) {
  const { fromSeq, toSeq, from, passedOn } = sitting;
  const line = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = line.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting } of entries) setSeen(isIntersecting);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const range = useMemo(() => ({ fromSeq, toSeq }), [fromSeq, toSeq]);
  useEffect(() => (isSeen ? counts?.ask(range) : undefined), [counts, range, isSeen]);
  const words = useSyncExternalStore(
    (run) => counts?.subscribe(run) ?? (() => undefined),
    () => counts?.get(range) ?? null,
  );
  const parts = [
    ...(isNow ? [`Since ${timeOf(from)}`] : []),
    ...(fromSeq === 1 ? ['Page created'] : []),
    ...(words === null ? [] : [countText(words.insertedWords, words.removedWords, words.pictures)]),
    ...(passedOn > 0 ? [`${passedOn} passed on`] : []),
  ].filter((part) => part !== '');
  return <span ref={line}>{parts.length === 0 ? '\u00A0' : parts.join(' · ')}</span>;
}

function countText(inserted: number, removed: number, pictures: number): string {
  const shown = [
    wordsText(inserted, removed),
    pictures > 0 ? `+${pictures} ${pictures === 1 ? 'picture' : 'pictures'}` : null,
  ].filter((part) => part !== null);
  return shown.length === 0 ? 'no words' : shown.join(' · ');
}
