// The timeline below the page: plays it, goes to any row, and shows how much each person wrote at each time.
import Bookmark from 'lucide-react/icons/bookmark';
import ChevronFirst from 'lucide-react/icons/chevron-first';
import ChevronLast from 'lucide-react/icons/chevron-last';
import Eraser from 'lucide-react/icons/eraser';
import Pause from 'lucide-react/icons/pause';
import PlayIcon from 'lucide-react/icons/play';
import SkipBack from 'lucide-react/icons/skip-back';
import SkipForward from 'lucide-react/icons/skip-forward';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useRef } from 'react';
import { counted } from '../../../lib/text/counted.ts';
import { timeOf } from '../../../lib/text/times.ts';
import type { Contribution, TimelineColumn } from '../../../ports/history.ts';
import type { Beginning, Version } from '../../../protocol/history-answers.ts';
import { PHONE, useMedia } from '../../../ui/browser/use-media.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { momentOf } from '../moments.ts';
import { ERASED } from '../versions/version-entries.ts';
import { type WhoIs, namesOf } from '../who.ts';
import { Cloth } from './cloth.tsx';
import { editingSessionStep, personStep } from './editing-session-bounds.ts';
import { dayLabels, placeOf, rowAt, versionFlags } from './timeline-layout.ts';
import { type Play, SPEEDS, usePlay } from './use-play.ts';
import './timeline.css';

/** A share of the timeline that a label takes. */
const LABEL_ROOM = 0.085;
const LABEL_ROOM_ON_PHONES = 0.23;
const FLAG_ROOM = 0.14;

type TimelineProps = {
  readonly seq: number;
  readonly head: number;
  readonly row: (seq: number) => Contribution | null;
  readonly starts: readonly number[];
  readonly columns: readonly TimelineColumn[];
  /** All versions. Those with a name have a flag where there is room. */
  readonly versions: readonly Version[];
  readonly beginning: Beginning | null;
  readonly whoIs: WhoIs;
  /** No one has a name here: there are no steps by person. */
  readonly isAnonymous: boolean;
  readonly now: number;
  readonly onSeq: (seq: number) => void;
  /** Goes to the present page and follows it. */
  readonly onNow: () => void;
};

export function Timeline(props: TimelineProps) {
  const { seq, head, row, starts, columns, versions, beginning, whoIs, isAnonymous, now, onSeq, onNow } = props;
  const play = usePlay({ seq, head, timeOf: (at) => row(at)?.at ?? null, onSeq });
  const go = (to: number) => {
    play.stop();
    onSeq(Math.min(head, Math.max(1, to)));
  };
  return (
    <section className="timeline" aria-label="Time">
      <div className="timeline-controls">
        <PlayControls play={play} isDisabled={head <= 1} />
        <div>
          <IconButton label="Previous editing session" onClick={() => go(editingSessionStep(starts, head, seq, -1))}>
            <SkipBack className="icon" aria-hidden size={16} />
          </IconButton>
          {!isAnonymous && (
            <>
              <IconButton
                label="Previous person"
                className="hide-on-phones"
                onClick={() => go(personStep(row, head, seq, -1))}
              >
                <ChevronFirst className="icon" aria-hidden size={16} />
              </IconButton>
              <IconButton
                label="Next person"
                className="hide-on-phones"
                onClick={() => go(personStep(row, head, seq, 1))}
              >
                <ChevronLast className="icon" aria-hidden size={16} />
              </IconButton>
            </>
          )}
          <IconButton label="Next editing session" onClick={() => go(editingSessionStep(starts, head, seq, 1))}>
            <SkipForward className="icon" aria-hidden size={16} />
          </IconButton>
          {seq < head ? (
            <Button size="small" className="to-now" aria-label="Return to now" onClick={onNow}>
              <span className="hide-on-phones">Return to now</span>
              <span className="phones-only">Now</span>
            </Button>
          ) : (
            <span className="timeline-count hide-on-phones">{countText(seq, head)}</span>
          )}
        </div>
      </div>
      <Weave
        {...{ seq, head, row, starts, columns, versions, beginning, whoIs, isAnonymous, now }}
        onSeq={go}
        onPlay={play.toggle}
      />
    </section>
  );
}

type PlayControlsProps = { readonly play: Play; readonly isDisabled: boolean };

function PlayControls({ play, isDisabled }: PlayControlsProps) {
  return (
    <div>
      <button
        type="button"
        className="play"
        aria-label={play.isPlaying ? 'Pause' : 'Play'}
        title={play.isPlaying ? 'Pause' : 'Play'}
        disabled={isDisabled}
        onClick={play.toggle}
      >
        {play.isPlaying ? (
          <Pause className="icon" aria-hidden size={16} />
        ) : (
          <PlayIcon className="icon" aria-hidden size={16} />
        )}
      </button>
      <div className="segments" role="group" aria-label="Speed">
        {SPEEDS.map((speed) => (
          <button
            key={speed}
            type="button"
            aria-pressed={play.speed === speed}
            data-pressed={play.speed === speed || undefined}
            onClick={() => play.setSpeed(speed)}
          >
            {speed}×
          </button>
        ))}
      </div>
    </div>
  );
}

const countText = (seq: number, head: number) => `Edit ${seq.toLocaleString('en')} of ${head.toLocaleString('en')}`;

type WeaveProps = Omit<TimelineProps, 'onNow'> & { readonly onPlay: () => void };

function Weave(props: WeaveProps) {
  const { seq, head, row, starts, columns, versions, beginning, whoIs, isAnonymous, now, onSeq, onPlay } = props;
  const isPhone = useMedia(PHONE);
  const field = useRef<HTMLDivElement>(null);
  const sentence = useId();
  const at = row(seq)?.at ?? null;
  const place = placeOf(columns, seq);
  const style: CSSProperties & { '--head': string } = { '--head': `${(place * 100).toFixed(2)}%` };
  const scrub = ({ clientX }: PointerEvent) => {
    const box = field.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    onSeq(rowAt(columns, Math.min(1, Math.max(0, (clientX - box.left) / box.width))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = targetOf(event, { seq, head, starts });
    if (to === null) return;
    event.preventDefault();
    if (to === 'play') onPlay();
    else onSeq(to);
  };
  return (
    <div className="weave-room">
      <div
        ref={field}
        className="weave"
        role="slider"
        tabIndex={0}
        aria-label="Timeline"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, head)}
        aria-valuenow={seq}
        aria-valuetext={`${at === null ? '' : `${momentOf(at, now)}, `}${countText(seq, head).toLowerCase()}`}
        aria-describedby={sentence}
        style={style}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          scrub(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) scrub(event);
        }}
      >
        <span className="warp" />
        <Cloth columns={columns} whoIs={whoIs} />
        <span className="later" />
        {dayLabels(columns, now, isPhone ? LABEL_ROOM_ON_PHONES : LABEL_ROOM).map(({ at: start, text, isEnd }) => (
          <span key={text} className="weave-day" style={{ left: `${start * 100}%` }} data-end={isEnd || undefined}>
            {text}
          </span>
        ))}
        {versionFlags(columns, versions, FLAG_ROOM).map(({ id, at: left, name }) => (
          <span
            key={id}
            className="weave-flag hide-on-phones"
            style={{ left: `${left * 100}%` }}
            data-end={left > 0.85 || undefined}
          >
            <Bookmark className="icon" aria-hidden size={13} />
            <span className="truncate">{name}</span>
          </span>
        ))}
        {beginning !== null && (
          <span className="weave-erased" style={{ left: `${placeOf(columns, beginning.seq) * 100}%` }} title={ERASED}>
            <Eraser className="icon" aria-hidden size={13} />
          </span>
        )}
        <span className="weave-head">
          <b>{at === null ? '' : timeOf(at)}</b>
        </span>
      </div>
      <p id={sentence} className="sr-only">
        {sentenceOf({ columns, head, starts, beginning }, isAnonymous ? null : whoIs)}
      </p>
    </div>
  );
}

type Place = { readonly seq: number; readonly head: number; readonly starts: readonly number[] };

function targetOf({ key, shiftKey }: KeyboardEvent, { seq, head, starts }: Place): number | 'play' | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return shiftKey ? editingSessionStep(starts, head, seq, -1) : seq - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return shiftKey ? editingSessionStep(starts, head, seq, 1) : seq + 1;
    case 'PageDown':
      return editingSessionStep(starts, head, seq, -1);
    case 'PageUp':
      return editingSessionStep(starts, head, seq, 1);
    case 'Home':
      return 1;
    case 'End':
      return head;
    case ' ':
      return 'play';
    default:
      return null;
  }
}

/** The timeline's picture as a sentence. */
function sentenceOf(
  { columns, head, starts, beginning }: Pick<TimelineProps, 'columns' | 'head' | 'starts' | 'beginning'>,
  whoIs: WhoIs | null,
): string {
  const edits = counted(head, 'edit');
  const editingSessions = counted(starts.length, 'editing session');
  const [erased, keys] = [
    beginning === null ? '' : 'It begins where words were erased from it. ',
    'Arrow keys go by edit, Page Up and Page Down by editing session, Space plays.',
  ];
  if (whoIs === null) return `${edits} in ${editingSessions}. ${erased}${keys}`;
  const weights = new Map<TimelineColumn['by'], number>();
  for (const { by, height } of columns) weights.set(by, (weights.get(by) ?? 0) + 2 ** height);
  const people = Array.from(weights).toSorted(([, one], [, other]) => other - one);
  const names = namesOf(
    people.map(([by]) => whoIs(by)),
    5,
  );
  return `${edits} in ${editingSessions}. ${names} wrote, most active first. ${erased}${keys}`;
}
