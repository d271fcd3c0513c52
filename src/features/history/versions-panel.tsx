// The list of versions with the menus of its rows: beside the page, and on phones in a sheet.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import type { HistorySource } from './history-source.ts';
import { inSentence, momentOf } from './moments.ts';
import type { HistoryActions } from './use-history-actions.ts';
import type { ViewedMoment } from './use-viewed-moment.ts';
import { EntryMenu } from './versions/entry-menu.tsx';
import { type VersionEntry, versionName } from './versions/version-entries.ts';
import { VersionList } from './versions/version-list.tsx';
import type { WordCounts } from './versions/word-counts.ts';
import type { Who, WhoIs } from './who.ts';

type VersionsProps = {
  readonly source: HistorySource;
  readonly viewed: ViewedMoment;
  readonly actions: HistoryActions;
  readonly counts: WordCounts;
  readonly now: number;
};

type VersionsPanelProps = VersionsProps & {
  readonly isPhone: boolean;
  /** Whether the sheet of a phone is open. */
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
};

/** The menu of a version offers at most this many people. */
const MAX_UNDOABLE = 6;

export function VersionsPanel({ isPhone, isOpen, onOpenChange, ...props }: VersionsPanelProps) {
  const { source, viewed, counts, now } = props;
  const { rows, whoIs, versions, filter, onFilter } = source;
  const close = () => onOpenChange(false);
  const list = (
    <VersionList
      hasHeading={!isPhone}
      versions={versions}
      entries={viewed.entries}
      filter={filter}
      onFilter={onFilter}
      authors={rows.authors.map(whoIs)}
      whoIs={whoIs}
      counts={counts}
      now={now}
      shown={viewed.shownEntry}
      onShow={(entry) => {
        viewed.showEntry(entry);
        close();
      }}
      renderMenu={(entry) =>
        entry.type === 'beginning' ? null : <MenuOfEntry {...props} entry={entry} onLeave={close} />
      }
    />
  );
  if (!isPhone) {
    return (
      <aside className="versions" aria-label="Versions of the page">
        {list}
      </aside>
    );
  }
  return (
    <Dialog title="Versions" open={isOpen} onOpenChange={onOpenChange}>
      <section className="versions-sheet">{list}</section>
    </Dialog>
  );
}

type MenuOfEntryProps = VersionsProps & {
  readonly entry: Exclude<VersionEntry, { readonly type: 'beginning' }>;
  /** Closes the sheet of a phone, so that the page is seen. */
  readonly onLeave: () => void;
};

function MenuOfEntry({ source: { editing, whoIs }, viewed, actions, now, entry, onLeave }: MenuOfEntryProps) {
  const editingSession = entry.type === 'editingSession' ? entry.editingSession : null;
  const { seq } = entry;
  return (
    <EntryMenu
      entry={entry}
      mayChange={editing !== null && (entry.type === 'editingSession' || editing.mayChange(entry.version))}
      onName={editing !== null ? () => actions.setAsked({ what: 'name', entry }) : null}
      onRemove={(version) => void editing?.remove(version).then((error) => error !== null && toast(textOf(error)))}
      onCompare={() => {
        const name = entry.type === 'version' ? versionName(entry.version) : inSentence(momentOf(entry.at, now));
        viewed.compareWith({ seq, name });
        onLeave();
      }}
      onCopy={actions.copy && (() => actions.copy?.(seq))}
      onRestore={actions.askRestore(seq)}
      undoable={editing !== null && editingSession !== null ? undoable(editingSession.authors, whoIs) : []}
      since={editingSession === null ? '' : inSentence(momentOf(editingSession.from, now))}
      onUndo={(who) => {
        onLeave();
        actions.askUndo(who, editingSession === null ? seq : editingSession.fromSeq - 1);
      }}
    />
  );
}

const undoable = (people: readonly (UserId | null)[], whoIs: WhoIs): readonly Who[] =>
  people
    .filter((user) => user !== null)
    .slice(0, MAX_UNDOABLE)
    .map(whoIs);
