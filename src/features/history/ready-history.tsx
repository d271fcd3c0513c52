// The history after it has loaded: the page at a moment, between the bar, the versions and the timeline.
import { useRef, useState } from 'react';
import { ERROR_TEXTS, textOf } from '../../texts/error-texts.ts';
import type { UserId } from '../../protocol/ids.ts';
import { useNow } from '../../state/hooks.ts';
import type { PageHistory } from '../../ports/history.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { AskedDialogs } from './asked-dialogs.tsx';
import { HistoryBar } from './history-bar.tsx';
import type { HistorySource } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { inSentence, momentOf } from './moments.ts';
import { UndoBar } from './restore/undo-bar.tsx';
import { ShownRoom } from './shown/shown-room.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useColumns } from './timeline/use-rows.ts';
import { possessive, useAsked } from './use-asked.ts';
import type { ReadyView } from './use-page-history.ts';
import { useViewedMoment } from './use-viewed-moment.ts';
import { EntryMenu } from './versions/entry-menu.tsx';
import { type VersionEntry, versionName } from './versions/version-entries.ts';
import { VersionList } from './versions/version-list.tsx';
import { useWordCounts } from './versions/word-counts.ts';
import type { Who, WhoIs } from './who.ts';

type ReadyHistoryProps = {
  readonly source: HistorySource;
  readonly tools: HistoryTools;
  readonly history: PageHistory;
  readonly view: ReadyView;
};

const MINUTE_MS = 60_000;
/** The menu of a version offers at most this many people. */
const MAX_UNDOABLE = 6;

export function ReadyHistory({ source, tools, history, view }: ReadyHistoryProps) {
  const { documentId, files, rows, whoIs, versions, filter, onFilter, editing } = source;
  const { starts, authors } = rows;
  const { head, beginning } = view;
  const now = useNow(MINUTE_MS);
  const isPhone = useMedia(PHONE);
  const [isListOpen, setListOpen] = useState(false);
  const room = useRef<HTMLDivElement>(null);
  const columns = useColumns(history, head, beginning);
  const counts = useWordCounts(history, beginning);
  const viewed = useViewedMoment({ source, history, view, first: tools.moment, room, now });
  const { seq, moment, details, momentAt } = viewed;
  const actions = useAsked({ source, tools, history, head, momentAt });
  const { undoing, setAsked, askRestore, copy } = actions;

  const show = (next: Parameters<typeof viewed.show>[0]) => {
    viewed.show(next);
    setAsked(null);
  };
  const compareWith = (other: Parameters<typeof viewed.compareWith>[0]) => {
    viewed.compareWith(other);
    setListOpen(false);
  };
  const menuOf = (entry: Exclude<VersionEntry, { readonly type: 'beginning' }>) => (
    <EntryMenu
      entry={entry}
      mayChange={editing !== null && (entry.type === 'editingSession' || editing.mayChange(entry.version))}
      onName={editing !== null ? () => setAsked({ what: 'name', entry }) : null}
      onRemove={(version) => void editing?.remove(version).then((error) => error !== null && toast(textOf(error)))}
      onCompare={() =>
        compareWith({
          seq: entry.seq,
          name: entry.type === 'version' ? versionName(entry.version) : inSentence(momentOf(entry.at, now)),
        })
      }
      onCopy={copy && (() => copy(entry.seq))}
      onRestore={askRestore(entry.seq)}
      undoable={
        editing !== null && entry.type === 'editingSession' ? undoable(entry.editingSession.authors, whoIs) : []
      }
      since={entry.type === 'editingSession' ? inSentence(momentOf(entry.editingSession.from, now)) : ''}
      onUndo={(who) => {
        setListOpen(false);
        actions.askUndo(who, entry.type === 'editingSession' ? entry.editingSession.fromSeq - 1 : entry.seq);
      }}
    />
  );
  const list = (
    <VersionList
      hasHeading={!isPhone}
      versions={versions}
      entries={viewed.entries}
      filter={filter}
      onFilter={onFilter}
      authors={authors.map(whoIs)}
      whoIs={whoIs}
      counts={counts}
      now={now}
      shown={viewed.shownEntry}
      onShow={(entry) => {
        viewed.showEntry(entry);
        setAsked(null);
        setListOpen(false);
      }}
      renderMenu={(entry) => (entry.type === 'beginning' ? null : menuOf(entry))}
    />
  );
  return (
    <div className="history">
      <HistoryBar
        address={tools.address}
        title={tools.title}
        moment={viewed.isBeginning ? details.join(' · ') : moment}
        mode={viewed.mode}
        onMode={viewed.setMode}
        onVersions={isPhone ? () => setListOpen(true) : null}
        onCopy={copy && (() => copy(seq))}
        onRestore={askRestore(seq)}
        isEditor={editing !== null}
        formats={tools.formats}
        onExport={(format) => actions.exportAs(seq, format)}
        onCompareWithNow={seq < head ? () => compareWith({ seq: head, name: 'now' }) : null}
      />
      <ShownRoom
        room={room}
        note={noteOn(view)}
        document={documentId}
        files={files}
        shown={undoing?.shown ?? viewed.shown}
        state={viewed.state}
        position={undoing ?? viewed.position}
        moment={moment}
        details={details}
        comparedWith={viewed.comparedWith}
        onCompareWithBefore={() => viewed.compareWith(null)}
        restoresOf={(key, step) => actions.restoresOf(viewed.state, viewed.shown, key, step)}
        isExportable={tools.formats.length > 0}
        bar={
          undoing &&
          editing && (
            <UndoBar
              what={`${possessive(undoing.who)} edits since ${undoing.since}`}
              words={undoing.shown.words}
              onUndo={actions.undo(undoing)}
              onCancel={() => setAsked(null)}
            />
          )
        }
      />
      {isPhone ? (
        <Dialog title="Versions" open={isListOpen} onOpenChange={setListOpen}>
          <section className="versions-sheet">{list}</section>
        </Dialog>
      ) : (
        <aside className="versions" aria-label="Versions of the page">
          {list}
        </aside>
      )}
      <Timeline
        seq={seq}
        head={head}
        row={history.row}
        starts={starts}
        columns={columns}
        named={versions.versions}
        beginning={beginning}
        whoIs={whoIs}
        isAnonymous={authors.length === 0}
        now={now}
        onSeq={(next) => show({ seq: next, entry: null })}
        onNow={() => show(null)}
      />
      <AskedDialogs source={source} actions={actions} head={head} momentAt={momentAt} />
    </div>
  );
}

/** Notes about the whole history that the reader needs. */
function noteOn({ isNewer, skipped }: ReadyView): string | null {
  if (isNewer)
    return 'This page was edited with a newer version of Weft. Blocks that this version doesn’t know are grey.';
  return skipped.length > 0 ? ERROR_TEXTS.WF013 : null;
}

const undoable = (people: readonly (UserId | null)[], whoIs: WhoIs): readonly Who[] =>
  people
    .filter((user) => user !== null)
    .slice(0, MAX_UNDOABLE)
    .map(whoIs);
