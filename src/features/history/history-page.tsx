// The history of a page: its versions, the page at any moment, and the timeline.
import { useEffect, useMemo, useRef, useState } from 'react';
import { scrollToChange, stepElement } from '../../editor/changes/show-step.ts';
import type { PageFile } from '../../document/formats/page-json.ts';
import { ERROR_TEXTS } from '../../protocol/errors.ts';
import { mayEdit } from '../../protocol/roles.ts';
import { useNow, useValue } from '../../state/hooks.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import type { PageHistory } from '../../state/ports/history.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { HistoryBar } from './history-bar.tsx';
import { HistoryFailed } from './history-failed.tsx';
import { momentOf, spanOf, dayOf, wordsText } from './moments.ts';
import { DrawnVersion } from './shown/drawn-version.tsx';
import { MomentBar } from './shown/moment-bar.tsx';
import type { Mode } from './shown/shown-moment.ts';
import { useShownPage } from './shown/use-shown-page.ts';
import { Timeline } from './timeline/timeline.tsx';
import { sittingOf } from './timeline/sitting-bounds.ts';
import { useColumns, useRows } from './timeline/use-rows.ts';
import { EntryMenu } from './versions/entry-menu.tsx';
import { NameVersion } from './versions/name-version.tsx';
import { useVersions } from './versions/use-versions.ts';
import { type Entry, type Filter, versionEntries, versionName } from './versions/version-entries.ts';
import { VersionList } from './versions/version-list.tsx';
import { WordCounts } from './versions/word-counts.ts';
import { namesOf, usePeopleOfHistory } from './who.ts';
import { usePageHistory } from './use-page-history.ts';
import './history.css';

/** What the history needs from other parts of the app. */
export type HistoryTools = {
  /** The page's address. */
  readonly address: string;
  readonly title: string;
  readonly formats: readonly { readonly id: string; readonly name: string }[];
  readonly onExport: (file: PageFile, format: string) => void;
  /** Null for people who may not create pages here. */
  readonly onCopy: ((file: PageFile) => Promise<void>) | null;
};

type HistoryPageProps = { readonly page: OpenPage; readonly tools: HistoryTools };

export function HistoryPage({ page, tools }: HistoryPageProps) {
  const session = useValue(page.sessionAtom);
  const { history, view } = usePageHistory(page.documentId, session);
  if (view.phase === 'failed' || view.phase === 'notLoaded') {
    return (
      <HistoryFailed
        reason={view.phase === 'failed' ? view.reason : 'notLoaded'}
        address={tools.address}
        onRetry={() => void history?.refresh()}
      />
    );
  }
  if (history === null || view.phase === 'loading') {
    const { rows, head } = view.phase === 'loading' ? view : NOTHING_READ;
    return (
      <div className="history-state">
        <Skeleton label="Loading the history" widths={['40%', '90%', '82%', '60%']} />
        {rows > 0 && head !== null && (
          <p>
            {rows.toLocaleString('en')} of {head.toLocaleString('en')} edits
          </p>
        )}
      </div>
    );
  }
  return <ReadyHistory page={page} tools={tools} history={history} view={view} />;
}

const NOTHING_READ = { rows: 0, head: null };

type ReadyView = Extract<ReturnType<PageHistory['getView']>, { readonly phase: 'ready' }>;
type ReadyHistoryProps = HistoryPageProps & { readonly history: PageHistory; readonly view: ReadyView };

/** Null: the page as it is now, also when it goes on. */
type Position = { readonly seq: number; readonly entry: string | null } | null;
/** With what the page is compared. Null: the version before. */
type Base = { readonly seq: number; readonly name: string } | null;
type Naming = { readonly entry: Entry } | null;

const MINUTE_MS = 60_000;

function ReadyHistory({ page, tools, history, view }: ReadyHistoryProps) {
  const { documentId, files } = page;
  const { head, skipped, isNewer } = view;
  const role = useValue(page.roleAtom);
  const isEditor = mayEdit(role);
  const now = useNow(MINUTE_MS);
  const isPhone = useMedia(PHONE);
  const { whoIs, meet } = usePeopleOfHistory();
  const [mode, setMode] = useState<Mode>('changes');
  const [position, setPosition] = useState<Position>(null);
  const [base, setBase] = useState<Base>(null);
  const [filter, setFilter] = useState<Filter>({ person: null, onlyNamed: false });
  const [isListOpen, setListOpen] = useState(false);
  const [naming, setNaming] = useState<Naming>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const [picked, setPicked] = useState<string | null>(null);
  const room = useRef<HTMLDivElement>(null);

  const { starts, authors } = useRows(history, head);
  const columns = useColumns(history, head);
  useEffect(() => meet(authors), [meet, authors]);
  const versions = useVersions(documentId, filter.person, head);
  const entries = useMemo(
    () => versionEntries(versions.sittings ?? [], versions.versions, versions.isWhole, filter),
    [versions.sittings, versions.versions, versions.isWhole, filter],
  );
  const counts = useMemo(() => new WordCounts(history), [history]);

  const seq = Math.min(head, position?.seq ?? head);
  const sitting = sittingOf(starts, head, seq);
  const from = base?.seq ?? sitting.fromSeq - 1;
  const { shown, state } = useShownPage(history, { mode, seq, from }, whoIs, now);

  const show = (next: Position) => {
    setPosition(next);
    setCurrent(null);
    setPicked(null);
  };
  const showEntry = (entry: Entry) => {
    show(entry.seq >= head && entry.type === 'sitting' ? null : { seq: entry.seq, entry: entry.id });
    setListOpen(false);
    room.current?.scrollTo({ top: 0 });
  };
  const steps = shown?.steps ?? [];
  const at = current === null ? 0 : current + 1;
  const step = (by: 1 | -1) => {
    if (steps.length === 0) return;
    const next = at === 0 ? (by === 1 ? 0 : steps.length - 1) : (at - 1 + by + steps.length) % steps.length;
    const to = steps[next];
    if (to === undefined) return;
    setCurrent(next);
    setPicked(to.key);
    scrollToChange(stepElement(room.current, to.step, to.key));
  };
  const copy = async (of: number) => {
    const file = await history.fileAt(of);
    if (file.ok) await tools.onCopy?.(file.value);
  };
  const exportAs = async (format: string) => {
    const file = await history.fileAt(seq);
    if (file.ok) tools.onExport(file.value, format);
  };

  const timeAt = history.row(seq)?.at ?? null;
  const isWholeSitting = seq === sitting.toSeq && base === null;
  const startAt = history.row(sitting.fromSeq)?.at ?? null;
  const moment =
    timeAt === null
      ? `Edit ${seq}`
      : isWholeSitting && startAt !== null
        ? `${dayOf(timeAt, now)}, ${spanOf(startAt, timeAt)}`
        : momentOf(timeAt, now);
  const words = shown?.words ?? null;
  const wrote = authorsBetween(history, Math.min(from, seq) + 1, Math.max(from, seq)).map(whoIs);
  const details = [
    ...(wrote.length > 0 ? [namesOf(wrote)] : []),
    ...(words === null ? [] : [wordsText(words.inserted, words.removed) ?? 'no words']),
  ];
  const entryId =
    position?.entry ??
    entries.find((one) => one.type === 'sitting' && one.sitting.fromSeq === sitting.fromSeq)?.id ??
    null;

  const list = (
    <VersionList
      versions={versions}
      entries={entries}
      filter={filter}
      onFilter={setFilter}
      authors={authors.filter((author) => author !== null).map(whoIs)}
      whoIs={whoIs}
      counts={counts}
      now={now}
      shown={entryId}
      onShow={showEntry}
      renderMenu={(entry) => (
        <EntryMenu
          entry={entry}
          role={role}
          onName={isEditor ? () => setNaming({ entry }) : null}
          onRemove={(version) => void versions.remove(version)}
          onCompare={() => {
            setMode('changes');
            setBase({
              seq: entry.seq,
              name: entry.type === 'version' ? versionName(entry.version) : momentOf(entry.at, now),
            });
            setListOpen(false);
          }}
          onCopy={tools.onCopy === null ? null : () => void copy(entry.seq)}
        />
      )}
    />
  );
  return (
    <div className="history">
      <HistoryBar
        address={tools.address}
        title={tools.title}
        moment={moment}
        mode={mode}
        onMode={setMode}
        onVersions={isPhone ? () => setListOpen(true) : null}
        onCopy={tools.onCopy === null ? null : () => void copy(seq)}
        formats={tools.formats}
        onExport={(format) => void exportAs(format)}
        onCompareWithNow={
          seq < head
            ? () => {
                setMode('changes');
                setBase({ seq: head, name: 'now' });
              }
            : null
        }
      />
      <div className="history-main" ref={room} tabIndex={-1}>
        {(skipped.length > 0 || isNewer) && (
          <p className="history-note" role="status">
            {isNewer
              ? 'This page was edited with a newer version of Weft. Blocks that this one does not know are grey.'
              : ERROR_TEXTS.WF013}
          </p>
        )}
        <MomentBar
          moment={moment}
          details={details}
          comparedWith={mode === 'changes' ? (base?.name ?? null) : null}
          onCompareWithBefore={() => setBase(null)}
          count={steps.length}
          at={at}
          onStep={step}
        />
        {state.failure !== null && (
          <p className="history-note" role="alert">
            {state.failure === 'tooSlow'
              ? 'This takes longer than a page may. Try “Plain”, or a later version.'
              : 'This version can’t be shown.'}
          </p>
        )}
        {shown === null ? (
          <div className="page-column">
            <Skeleton label="Loading the page" widths={['58%', '96%', '92%', '40%']} />
          </div>
        ) : (
          <DrawnVersion
            shown={shown}
            document={documentId}
            files={files}
            whoIs={whoIs}
            current={current === null ? null : (steps[current]?.step ?? null)}
            picked={picked}
            onPick={setPicked}
            tool={null}
            isBusy={state.isBusy}
          />
        )}
        <p className="sr-only" role="status">
          {current === null ? '' : `Change ${at} of ${steps.length}. ${steps[current]?.says ?? ''}`}
        </p>
      </div>
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
        whoIs={whoIs}
        now={now}
        onSeq={(next) => show({ seq: next, entry: null })}
        onNow={() => show(null)}
      />
      {naming !== null && (
        <NameVersion
          title={naming.entry.type === 'version' ? 'Rename version' : 'Name this version'}
          initial={naming.entry.type === 'version' ? (naming.entry.version.name ?? '') : ''}
          onName={(name) =>
            naming.entry.type === 'version'
              ? versions.rename(naming.entry.version, name)
              : versions.name(naming.entry.seq, name, 'named')
          }
          onClose={() => setNaming(null)}
        />
      )}
    </div>
  );
}

/** More rows are not looked through for a line of names. */
const MAX_ROWS = 5_000;

function authorsBetween(history: PageHistory, from: number, to: number) {
  const found = new Set<NonNullable<ReturnType<PageHistory['row']>>['by']>();
  for (let seq = to; seq >= Math.max(from, to - MAX_ROWS); seq--) {
    const by = history.row(seq)?.by ?? null;
    // The first row of every page is the same and nobody's.
    if (by !== null) found.add(by);
  }
  return Array.from(found);
}
