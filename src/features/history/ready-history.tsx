// The history after it has loaded: the page at a moment, between the bar, the versions and the timeline.
import { useRef, useState } from 'react';
import type { PageHistory } from '../../ports/history.ts';
import { ERROR_TEXTS } from '../../texts/error-texts.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { HistoryBar } from './history-bar.tsx';
import type { HistorySource } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { inSentence } from './moments.ts';
import { RestoreDialog } from './restore/restore-dialog.tsx';
import { UndoBar } from './restore/undo-bar.tsx';
import { ShownRoom } from './shown/shown-room.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useColumns } from './timeline/use-rows.ts';
import { type HistoryActions, useHistoryActions } from './use-history-actions.ts';
import type { ReadyView } from './use-page-history.ts';
import { type ViewedMoment, useViewedMoment } from './use-viewed-moment.ts';
import { VersionsPanel } from './versions-panel.tsx';
import { NameVersion } from './versions/name-version.tsx';
import { useWordCounts } from './versions/word-counts.ts';

type ReadyHistoryProps = {
  readonly source: HistorySource;
  readonly tools: HistoryTools;
  readonly history: PageHistory;
  readonly view: ReadyView;
};

const MINUTE_MS = 60_000;

export function ReadyHistory({ source, tools, history, view }: ReadyHistoryProps) {
  const { documentId, files, rows, whoIs, versions, editing } = source;
  const { head, beginning } = view;
  const now = useNow(MINUTE_MS);
  const isPhone = useMedia(PHONE);
  const [isListOpen, setListOpen] = useState(false);
  const room = useRef<HTMLDivElement>(null);
  const columns = useColumns(history, head, beginning);
  const counts = useWordCounts(history, beginning);
  const found = useViewedMoment({ source, history, view, first: tools.moment, room, now });
  const { seq, moment, details, momentAt } = found;
  const actions = useHistoryActions({ source, tools, history, head, momentAt });
  const { undoing, setAsked, askRestore, copy } = actions;

  const viewed = endingQuestions(found, () => setAsked(null));
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
        onCompareWithNow={seq < head ? () => viewed.compareWith({ seq: head, name: 'now' }) : null}
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
              {...undoing}
              onUndo={actions.restoreWithout(undoing.who, undoing.sinceSeq)}
              onCancel={() => setAsked(null)}
            />
          )
        }
      />
      <VersionsPanel
        {...{ source, viewed, actions, counts, now, isPhone }}
        isOpen={isListOpen}
        onOpenChange={setListOpen}
      />
      <Timeline
        seq={seq}
        head={head}
        row={history.row}
        starts={rows.starts}
        columns={columns}
        versions={versions.versions}
        beginning={beginning}
        whoIs={whoIs}
        isAnonymous={rows.authors.length === 0}
        now={now}
        onSeq={(next) => viewed.show({ seq: next, entry: null })}
        onNow={() => viewed.show(null)}
      />
      <HistoryDialogs source={source} actions={actions} head={head} momentAt={momentAt} />
    </div>
  );
}

/** Going on to something else ends a preview, and drops an answer that comes late. */
function endingQuestions(viewed: ViewedMoment, end: () => void): ViewedMoment {
  const ending =
    <T,>(move: (to: T) => void) =>
    (to: T) => {
      move(to);
      end();
    };
  return {
    ...viewed,
    show: ending(viewed.show),
    showEntry: ending(viewed.showEntry),
    compareWith: ending(viewed.compareWith),
    setMode: ending(viewed.setMode),
  };
}

/** Notes about the whole history that the reader needs. */
function noteOn({ isNewer, skipped }: ReadyView): string | null {
  if (isNewer)
    return 'This page was edited with a newer version of Weft. Blocks that this version doesn’t know are grey.';
  return skipped.length > 0 ? ERROR_TEXTS.WF013 : null;
}

type HistoryDialogsProps = {
  readonly source: HistorySource;
  readonly actions: HistoryActions;
  readonly head: number;
  readonly momentAt: (seq: number) => string;
};

function HistoryDialogs({ source: { editing, whoIs }, actions, head, momentAt }: HistoryDialogsProps) {
  const { asked, setAsked, copy, restorePage } = actions;
  if (asked === null || editing === null) return null;
  const close = () => setAsked(null);
  if (asked.what === 'name') {
    const { entry } = asked;
    return (
      <LayerBoundary onDismiss={close}>
        <NameVersion
          title={entry.type === 'version' ? 'Rename version' : 'Name this version'}
          initial={entry.type === 'version' ? (entry.version.name ?? '') : ''}
          onName={(name) =>
            entry.type === 'version' ? editing.rename(entry.version, name) : editing.name(entry.seq, name, 'named')
          }
          onClose={close}
        />
      </LayerBoundary>
    );
  }
  if (asked.what === 'undo') return null;
  const { seq } = asked;
  return (
    <LayerBoundary onDismiss={close}>
      <RestoreDialog
        moment={inSentence(momentAt(seq))}
        editsSince={head - seq}
        others={editing.here.map(whoIs)}
        onRestore={restorePage(seq)}
        onCopy={copy && (() => copy(seq))}
        onClose={close}
      />
    </LayerBoundary>
  );
}
