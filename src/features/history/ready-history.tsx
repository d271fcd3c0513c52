// The history once it is read: which moment is shown, with what it is compared, and what is done with it.
import { useMemo, useRef, useState } from 'react';
import { ERROR_TEXTS, textOf } from '../../protocol/errors.ts';
import type { UserId } from '../../protocol/ids.ts';
import { useNow } from '../../state/hooks.ts';
import type { HistoryView, PageHistory } from '../../state/ports/history.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { HistoryBar } from './history-bar.tsx';
import type { HistorySource } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { dayOf, momentOf, spanOf, wordsText } from './moments.ts';
import { RestoreDialog } from './restore/restore-dialog.tsx';
import { UndoBar } from './restore/undo-bar.tsx';
import { type WithoutPerson, withoutPerson } from './restore/without-person.ts';
import { restorableBlock } from './restore/restorable-block.ts';
import type { Mode } from './shown/shown-moment.ts';
import { ShownRoom } from './shown/shown-room.tsx';
import { useShownPage } from './shown/use-shown-page.ts';
import { sittingOf } from './timeline/sitting-bounds.ts';
import { Timeline } from './timeline/timeline.tsx';
import { useColumns } from './timeline/use-rows.ts';
import { EntryMenu } from './versions/entry-menu.tsx';
import { NameVersion } from './versions/name-version.tsx';
import { type Entry, versionEntries, versionName } from './versions/version-entries.ts';
import { VersionList } from './versions/version-list.tsx';
import { WordCounts } from './versions/word-counts.ts';
import { type Who, type WhoIs, namesOf } from './who.ts';

export type ReadyView = Extract<HistoryView, { readonly phase: 'ready' }>;
type ReadyHistoryProps = {
  readonly source: HistorySource;
  readonly tools: HistoryTools;
  readonly history: PageHistory;
  readonly view: ReadyView;
};

/** Null: the page as it is now, also when it goes on. */
type Position = { readonly seq: number; readonly entry: string | null } | null;
/** With what the page is compared. Null: the version before. */
type Base = { readonly seq: number; readonly name: string } | null;
/** What somebody asked for, and has to say more about. */
type Asked =
  | { readonly what: 'name'; readonly entry: Entry }
  | { readonly what: 'restore'; readonly seq: number }
  | { readonly what: 'undo'; readonly who: Who; readonly since: string; readonly found: WithoutPerson }
  | null;

const MINUTE_MS = 60_000;
/** More people are not offered in the menu of a version. */
const MAX_UNDOABLE = 6;

export function ReadyHistory({ source, tools, history, view }: ReadyHistoryProps) {
  const { documentId, files, rows, whoIs, versions, filter, onFilter, editing } = source;
  const { starts, authors } = rows;
  const { head, skipped, isNewer } = view;
  const now = useNow(MINUTE_MS);
  const isPhone = useMedia(PHONE);
  const [mode, setMode] = useState<Mode>('changes');
  const [position, setPosition] = useState<Position>(() =>
    tools.moment === null ? null : { seq: tools.moment, entry: null },
  );
  const [base, setBase] = useState<Base>(null);
  const [isListOpen, setListOpen] = useState(false);
  const [asked, setAsked] = useState<Asked>(null);
  const room = useRef<HTMLDivElement>(null);

  const columns = useColumns(history, head);
  const entries = useMemo(
    () => versionEntries(versions.sittings ?? [], versions.versions, versions.isWhole, filter),
    [versions.sittings, versions.versions, versions.isWhole, filter],
  );
  const counts = useMemo(() => new WordCounts(history), [history]);

  const seq = Math.min(head, position?.seq ?? head);
  const sitting = sittingOf(starts, head, seq);
  const from = base?.seq ?? sitting.fromSeq - 1;
  const { shown, state } = useShownPage(history, { mode, seq, from }, whoIs, now);
  const undoing = asked?.what === 'undo' ? asked : null;

  const show = (next: Position) => {
    setPosition(next);
    setAsked(null);
  };
  const showEntry = (entry: Entry) => {
    show(entry.seq >= head && entry.type === 'sitting' ? null : { seq: entry.seq, entry: entry.id });
    setListOpen(false);
    room.current?.scrollTo({ top: 0 });
  };
  const compareWith = (other: Base) => {
    setMode('changes');
    setBase(other);
    setListOpen(false);
  };
  const momentAt = (at: number): string => {
    const time = history.row(at)?.at ?? null;
    return time === null ? `edit ${at}` : momentOf(time, now);
  };
  const copy = async (of: number) => {
    const file = await history.fileAt(of);
    if (file.ok) await tools.onCopy?.(file.value);
    else toast('This version can’t be copied.');
  };
  const exportAs = async (format: string) => {
    const file = await history.fileAt(seq);
    if (file.ok) tools.onExport(file.value, format);
    else toast('This version can’t be exported.');
  };
  const askUndo = async (who: Who, since: number) => {
    setListOpen(false);
    const found = who.id === null ? null : await withoutPerson(history, who.id, since, head);
    if (found?.ok === true) setAsked({ what: 'undo', who, since: lower(momentAt(since + 1)), found: found.value });
    else toast('This can’t be undone here: the page takes too long to compute.');
  };
  const restoreOf = (key: string) => {
    const target = undoing === null ? restorableBlock(state.found, key, head) : null;
    if (target === null || editing === null) return null;
    return () =>
      void editing
        .restore({
          file: () => history.fileAt(target.seq),
          block: target.id,
          done: 'Block restored.',
        })
        .then((problem) => problem !== null && toast(problem));
  };

  const timeAt = history.row(seq)?.at ?? null;
  const startAt = history.row(sitting.fromSeq)?.at ?? null;
  const isWholeSitting = seq === sitting.toSeq && base === null && mode === 'changes';
  const moment =
    isWholeSitting && startAt !== null && timeAt !== null
      ? `${dayOf(timeAt, now)}, ${spanOf(startAt, timeAt)}`
      : capital(momentAt(seq));
  const words = shown?.words ?? null;
  const wrote = authorsBetween(history, Math.min(from, seq) + 1, Math.max(from, seq)).map(whoIs);
  const details = [
    ...(mode === 'changes' && wrote.length > 0 ? [namesOf(wrote)] : []),
    ...(words === null ? [] : [wordsText(words.inserted, words.removed) ?? 'no words']),
  ];
  const shownEntry =
    position?.entry ??
    entries.find((one) => one.type === 'sitting' && one.sitting.fromSeq === sitting.fromSeq)?.id ??
    null;
  const askRestore = (of: number) =>
    editing !== null && of < head ? () => setAsked({ what: 'restore', seq: of }) : null;

  const list = (
    <VersionList
      versions={versions}
      entries={entries}
      filter={filter}
      onFilter={onFilter}
      authors={authors.map(whoIs)}
      whoIs={whoIs}
      counts={counts}
      now={now}
      shown={shownEntry}
      onShow={showEntry}
      renderMenu={(entry) => (
        <EntryMenu
          entry={entry}
          mayChange={editing !== null && (entry.type === 'sitting' || editing.mayChange(entry.version))}
          onName={editing !== null ? () => setAsked({ what: 'name', entry }) : null}
          onRemove={(version) => void editing?.remove(version).then((error) => error !== null && toast(textOf(error)))}
          onCompare={() =>
            compareWith({
              seq: entry.seq,
              name: entry.type === 'version' ? versionName(entry.version) : lower(momentOf(entry.at, now)),
            })
          }
          onCopy={tools.onCopy === null ? null : () => void copy(entry.seq)}
          onRestore={askRestore(entry.seq)}
          undoable={editing !== null && entry.type === 'sitting' ? undoable(entry.sitting.authors, whoIs) : []}
          since={entry.type === 'sitting' ? lower(momentOf(entry.sitting.from, now)) : ''}
          onUndo={(who) => void askUndo(who, entry.type === 'sitting' ? entry.sitting.fromSeq - 1 : entry.seq)}
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
        onRestore={askRestore(seq)}
        isEditor={editing !== null}
        formats={tools.formats}
        onExport={(format) => void exportAs(format)}
        onCompareWithNow={seq < head ? () => compareWith({ seq: head, name: 'now' }) : null}
      />
      <ShownRoom
        room={room}
        note={
          isNewer
            ? 'This page was edited with a newer version of Weft. Blocks that this one does not know are grey.'
            : skipped.length > 0
              ? ERROR_TEXTS.WF013
              : null
        }
        document={documentId}
        files={files}
        shown={undoing?.found.shown ?? shown}
        state={state}
        position={undoing ?? position}
        moment={moment}
        details={details}
        comparedWith={mode === 'changes' ? (base?.name ?? null) : null}
        onCompareWithBefore={() => setBase(null)}
        restoreOf={restoreOf}
        isExportable={tools.formats.length > 0}
        bar={
          undoing &&
          editing && (
            <UndoBar
              what={`${possessive(undoing.who)} edits since ${undoing.since}`}
              words={undoing.found.shown.words}
              onUndo={() =>
                editing.restore({
                  file: async () => ({ ok: true, value: undoing.found.file }),
                  block: null,
                  done: `${capital(possessive(undoing.who))} edits are undone.`,
                })
              }
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
        whoIs={whoIs}
        isAnonymous={authors.length === 0}
        now={now}
        onSeq={(next) => show({ seq: next, entry: null })}
        onNow={() => show(null)}
      />
      {asked?.what === 'name' && editing && (
        <NameVersion
          title={asked.entry.type === 'version' ? 'Rename version' : 'Name this version'}
          initial={asked.entry.type === 'version' ? (asked.entry.version.name ?? '') : ''}
          onName={(name) =>
            asked.entry.type === 'version'
              ? editing.rename(asked.entry.version, name)
              : editing.name(asked.entry.seq, name, 'named')
          }
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === 'restore' && editing && (
        <RestoreDialog
          moment={lower(momentAt(asked.seq))}
          editsSince={head - asked.seq}
          others={editing.here.map(whoIs)}
          onRestore={() =>
            editing.restore({
              file: () => history.fileAt(asked.seq),
              block: null,
              done: `Restored the version from ${lower(momentAt(asked.seq))}.`,
            })
          }
          onCopy={tools.onCopy === null ? null : () => void copy(asked.seq)}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

const undoable = (people: readonly (UserId | null)[], whoIs: WhoIs): readonly Who[] =>
  people
    .filter((user) => user !== null)
    .slice(0, MAX_UNDOABLE)
    .map(whoIs);

const possessive = ({ name, short }: Who): string => (name === 'you' ? 'your' : `${short}’s`);
const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
/** "Today" and "Yesterday" inside of a sentence. Names of days and months stay. */
const lower = (moment: string): string => moment.replace(/^(?:Today|Yesterday)/, (word) => word.toLowerCase());

/** More rows are not looked through for a line of names. */
const MAX_ROWS = 5_000;

function authorsBetween(history: PageHistory, from: number, to: number): readonly UserId[] {
  const found = new Set<UserId>();
  for (let seq = to; seq >= Math.max(from, to - MAX_ROWS); seq--) {
    const by = history.row(seq)?.by ?? null;
    // The first row of every page is the same and nobody's.
    if (by !== null) found.add(by);
  }
  return Array.from(found);
}
