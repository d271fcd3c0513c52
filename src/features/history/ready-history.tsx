// The history after it has loaded: the page at a moment, between the bar, the versions and the timeline.
import { useRef, useState } from 'react';
import { ERROR_TEXTS } from '../../texts/error-texts.ts';
import { useNow } from '../../state/hooks.ts';
import type { PageHistory } from '../../ports/history.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { AskedDialogs } from './asked-dialogs.tsx';
import { HistoryBar } from './history-bar.tsx';
import type { HistorySource } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { UndoBar } from './restore/undo-bar.tsx';
import { ShownRoom } from './shown/shown-room.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useColumns } from './timeline/use-rows.ts';
import { useAsked } from './use-asked.ts';
import type { ReadyView } from './use-page-history.ts';
import { useViewedMoment } from './use-viewed-moment.ts';
import { VersionsPanel } from './versions-panel.tsx';
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
  const viewed = useViewedMoment({ source, history, view, first: tools.moment, room, now });
  const { seq, moment, details, momentAt } = viewed;
  const actions = useAsked({ source, tools, history, head, momentAt });
  const { undoing, setAsked, askRestore, copy } = actions;

  const show = (next: Parameters<typeof viewed.show>[0]) => {
    viewed.show(next);
    setAsked(null);
  };
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
          undoing && editing && <UndoBar {...undoing} onUndo={actions.undo(undoing)} onCancel={() => setAsked(null)} />
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
        named={versions.versions}
        beginning={beginning}
        whoIs={whoIs}
        isAnonymous={rows.authors.length === 0}
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
