// One row of the list: an editing session or a version, with its people, its words and a menu; or the beginning.
import Bookmark from 'lucide-react/icons/bookmark';
import Eraser from 'lucide-react/icons/eraser';
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { counted } from '../../../lib/text/counted.ts';
import { timeOf } from '../../../lib/text/times.ts';
import type { EditingSession } from '../../../protocol/history-answers.ts';
import { MoreMenu } from '../../../ui/floating/more-menu.tsx';
import { PersonTag } from '../../../ui/people/person-tag.tsx';
import { spanOf, wordsText } from '../moments.ts';
import { type WhoIs, namesOf, shortName } from '../who.ts';
import { ERASED, type VersionEntry, versionName } from './version-entries.ts';
import type { WordCounts } from './word-counts.ts';

const MAX_TAGS = 3;

type VersionRowProps = {
  readonly entry: VersionEntry;
  /** The heading of the day that begins with it. */
  readonly day: string | null;
  readonly isShown: boolean;
  /** The editing session that goes on now. */
  readonly isNow: boolean;
  readonly whoIs: WhoIs;
  readonly counts: WordCounts;
  readonly onShow: () => void;
  /** Null if nothing can be done with it. */
  readonly menu: ReactNode | null;
};

export function VersionRow({ entry, day, isShown, isNow, whoIs, counts, onShow, menu }: VersionRowProps) {
  const { type } = entry;
  const people = peopleOf(entry).map(whoIs);
  const name = nameOf(entry, isNow);
  return (
    <li className="version">
      {day !== null && <h3>{day}</h3>}
      <div className="version-row" data-shown={isShown || undefined}>
        <button type="button" className="version-button" aria-current={isShown ? 'true' : undefined} onClick={onShow}>
          <span className="version-name" data-named={type === 'version' || undefined}>
            {type === 'version' && <Bookmark className="icon" aria-hidden size={14} />}
            {type === 'beginning' && <Eraser className="icon" aria-hidden size={14} />}
            <span className="truncate" dir="auto">
              {name}
            </span>
          </span>
          <span className="version-words">
            {type === 'version' && <VersionLine entry={entry} whoIs={whoIs} />}
            {type === 'editingSession' && (
              <EditingSessionLine editingSession={entry.editingSession} isNow={isNow} counts={counts} />
            )}
            {type === 'beginning' && [timeOf(entry.at), ...people.map((who) => `by ${shortName(who)}`)].join(' · ')}
          </span>
          <span className="sr-only">
            {type === 'editingSession' && people.length > 0 ? `By ${namesOf(people, 6)}` : ''}
          </span>
        </button>
        <span className="version-tags" aria-hidden="true">
          {people.slice(0, MAX_TAGS).map(({ id, initialsOf, dye, picture }, at) => (
            <PersonTag key={id ?? at} name={initialsOf} color={dye} picture={picture} size="small" />
          ))}
          {people.length > MAX_TAGS && <span className="version-more">+{people.length - MAX_TAGS}</span>}
        </span>
        {menu !== null && <MoreMenu label={`More for ${name}`}>{menu}</MoreMenu>}
      </div>
    </li>
  );
}

function peopleOf(entry: VersionEntry): readonly (UserId | null)[] {
  if (entry.type === 'editingSession') return entry.editingSession.authors;
  // Readers by link learn no names.
  const by = entry.type === 'version' ? entry.version.createdBy : entry.beginning.by;
  return by === null ? [] : [by];
}

function nameOf(entry: VersionEntry, isNow: boolean): string {
  if (entry.type === 'beginning') return ERASED;
  if (entry.type === 'version') return versionName(entry.version);
  return isNow ? 'Now' : spanOf(entry.editingSession.from, entry.editingSession.to);
}

function VersionLine({
  entry,
  whoIs,
}: {
  readonly entry: VersionEntry & { readonly type: 'version' };
  readonly whoIs: WhoIs;
}) {
  const { name, kind, createdBy } = entry.version;
  const time = timeOf(entry.at);
  if (createdBy === null) return time;
  const by = shortName(whoIs(createdBy));
  return `${time} · ${kind === 'named' || name !== null ? `named by ${by}` : `by ${by}`}`;
}

type EditingSessionLineProps = {
  readonly editingSession: EditingSession;
  readonly isNow: boolean;
  readonly counts: WordCounts;
};

function EditingSessionLine({ editingSession, isNow, counts }: EditingSessionLineProps) {
  const { fromSeq, toSeq, from, passedOn } = editingSession;
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
  useEffect(() => (isSeen ? counts.ask(range) : undefined), [counts, range, isSeen]);
  const words = useSyncExternalStore(counts.subscribe, () => counts.get(range));
  const parts = [
    ...(isNow ? [`Since ${timeOf(from)}`] : []),
    ...(fromSeq === 1 ? ['Page created'] : []),
    ...(words === null ? [] : [countText(words.insertedWords, words.removedWords, words.pictures)]),
    ...(passedOn > 0 ? [`${passedOn} passed on`] : []),
  ].filter((part) => part !== '');
  return <span ref={line}>{parts.length === 0 ? '\u00A0' : parts.join(' · ')}</span>;
}

function countText(inserted: number, removed: number, pictures: number): string {
  const shown = [wordsText(inserted, removed), pictures > 0 ? `+${counted(pictures, 'picture')}` : null].filter(
    (part) => part !== null,
  );
  return shown.length === 0 ? 'no words' : shown.join(' · ');
}
