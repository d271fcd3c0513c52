// One row of the tree. It knows its page by id and renders again only when something it shows changes; the tree handles the
// person's actions on it (`data-act`).
import { selectAtom } from 'jotai/utils';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Plus from 'lucide-react/icons/plus';
import { memo, useMemo } from 'react';
import { Link } from 'react-router';
import type { Unsent } from 'weft-sync/ports.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { isSameList } from '../../lib/lists/is-same-list.ts';
import { counted } from '../../lib/text/counted.ts';
import { useListedPage, useLiveTitle, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { othersOn, readersOn } from '../../state/people/locations.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { useOverdue } from '../../ui/browser/use-time.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';
import { type PresenceTick, PresenceTicks } from '../../ui/people/presence-ticks.tsx';
import { RenameField } from './rename-field.tsx';
import { UnreadMark } from './unread-mark.tsx';
import { useOneOf } from './use-one-of.ts';
import type { VisibleRow as Row } from './visible-rows.ts';

type TreeRowProps = Row & {
  /** The number of the row from the top of the tree, from 0. */
  readonly at: number;
  readonly isClicked: boolean;
  readonly isCurrent: boolean;
  /** Tab reaches this row. */
  readonly isStop: boolean;
  readonly isDragged: boolean;
  readonly isGoal: boolean;
  /** Its menu is open. */
  readonly isMenuOpen: boolean;
  /** Receives the new title, or null if the person gave up. Null while the row is not renamed. */
  readonly onRenamed: ((title: string | null) => void) | null;
};

export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { id, at, depth, isOpen } = props;
  const { workspace, unavailableAtom } = useWorkspace();
  const page = useListedPage(id);
  const liveTitle = useLiveTitle(id);
  const isUnavailable = useOneOf(unavailableAtom, id);
  if (page === null) return null;
  const title = liveTitle ?? page.title;
  const shown = shownTitle(title);
  const address = pagePath(workspace.slug, { id, title });
  return (
    <div
      role="row"
      className="row"
      style={{ '--depth': depth, '--at': at }}
      data-clicked={props.isClicked || undefined}
      data-here={props.isCurrent || undefined}
      data-dragged={props.isDragged || undefined}
      data-goal={props.isGoal || undefined}
      data-unavailable={isUnavailable || undefined}
      title={isUnavailable ? 'Not on this device' : undefined}
      aria-rowindex={at + 1}
      aria-level={depth + 1}
      aria-posinset={props.position}
      aria-setsize={props.siblings}
      aria-expanded={isOpen ?? undefined}
    >
      <div role="gridcell" className="row-name">
        {isOpen === null ? <span className="leaf" /> : <Chevron id={id} isOpen={isOpen} title={shown} />}
        <PageIcon icon={page.icon} />
        {props.onRenamed !== null ? (
          <RenameField title={title} onDone={props.onRenamed} />
        ) : (
          <Link
            id={`row-${id}`}
            className="grow truncate"
            to={address}
            draggable={false}
            data-row={id}
            tabIndex={props.isStop ? 0 : -1}
            aria-current={props.isCurrent ? 'page' : undefined}
          >
            {shown}
            {isUnavailable && <span className="sr-only">, not on this device</span>}
          </Link>
        )}
      </div>
      <div role="gridcell" className="row-end">
        <EndMark id={id} isClosed={isOpen === false} />
        <RowButtons id={id} mayAdd={mayEdit(page.role)} isMenuOpen={props.isMenuOpen} />
      </div>
    </div>
  );
});

type ChevronProps = { readonly id: DocumentId; readonly isOpen: boolean; readonly title: string };

const Chevron = ({ id, isOpen, title }: ChevronProps) => (
  <button
    type="button"
    className="chevron"
    tabIndex={-1}
    data-act="toggle"
    data-page={id}
    aria-expanded={isOpen}
    aria-label={`Pages in ${title}`}
  >
    {isOpen ? <ChevronDown className="icon" /> : <ChevronRight className="icon" />}
  </button>
);

type RowButtonsProps = { readonly id: DocumentId; readonly mayAdd: boolean; readonly isMenuOpen: boolean };

const RowButtons = ({ id, mayAdd, isMenuOpen }: RowButtonsProps) => (
  <span className="row-acts">
    <IconButton
      label="More"
      tabIndex={-1}
      data-act="menu"
      data-page={id}
      aria-haspopup="menu"
      aria-expanded={isMenuOpen}
      aria-describedby={`row-${id}`}
    >
      <Ellipsis className="icon" />
    </IconButton>
    {mayAdd && (
      <IconButton label="New page inside" tabIndex={-1} data-act="new" data-page={id} aria-describedby={`row-${id}`}>
        <Plus className="icon" />
      </IconButton>
    )}
  </span>
);

const UNSENT_AFTER_MS = 1_000;

/** One mark at most: edits that wait on this device, else the people on the page, else what this person has not seen. */
function EndMark({ id, isClosed }: { readonly id: DocumentId; readonly isClosed: boolean }) {
  const oldestAt = useUnsentOf(id, (waiting) => waiting?.oldestAt ?? null);
  const isWaiting = useOverdue(oldestAt, UNSENT_AFTER_MS);
  const people = usePeopleOn(id);
  if (isWaiting) return <UnsentCount id={id} />;
  if (people.length > 0) return <PresenceTicks people={people} />;
  return <UnreadMark id={id} isClosed={isClosed} />;
}

function usePeopleOn(id: DocumentId): readonly PresenceTick[] {
  const { identity } = usePerson();
  const { locationsAtom, presentAtom } = useWorkspace();
  const hereAtom = useMemo(
    () => selectAtom(locationsAtom, (all) => othersOn(all, id, identity.id), isSameList),
    [locationsAtom, id, identity],
  );
  const readersAtom = useMemo(
    () => selectAtom(locationsAtom, (all) => Array.from(readersOn(all, id)), isSameList),
    [locationsAtom, id],
  );
  const here = useValue(hereAtom);
  const readers = useValue(readersAtom);
  const present = useValue(presentAtom);
  return here.flatMap((person) => {
    const one = present.get(person);
    if (one === undefined) return [];
    return [{ id: person, name: one.displayName, color: one.color, isReading: readers.includes(person) }];
  });
}

function UnsentCount({ id }: { readonly id: DocumentId }) {
  const edits = useUnsentOf(id, (waiting) => waiting?.edits ?? 0);
  const label = `${counted(edits, 'edit')} on this device only`;
  return <span className="row-mark" data-mark="unsent" role="img" aria-label={label} title={label} />;
}

/** One number of one row, so that a key typed on a page renders that row only, not the whole tree. */
function useUnsentOf<T extends number | null>(id: DocumentId, read: (waiting: Unsent | undefined) => T): T {
  const { unsentPagesAtom } = usePerson();
  const rowAtom = useMemo(
    () => selectAtom(unsentPagesAtom, (all) => read(all.find(({ document }) => document === id))),
    [unsentPagesAtom, id, read],
  );
  return useValue(rowAtom);
}
