// Draws remote carets in a layer over the page, outside the editable text, so that no word moves or wraps, and a
// composition (IME) is never disturbed. Positions are set by transform, at most once per frame.
import type { EditorView } from '@tiptap/pm/view';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Awareness } from 'y-protocols/awareness';
import type { Cancel } from '../../lib/cancel.ts';
import type { Profile } from '../../protocol/answers.ts';
import { runAfterDraws } from '../binding/frame-batch.ts';
import { visiblePosition } from '../blocks/folding.ts';
import { type Box, caretBox, lineBoxes } from './caret-geometry.ts';
import { type RemoteCaret, THREAD_MS, type CaretThread, trackRemoteCarets } from './remote-carets.ts';
import './carets.css';

export type ProfilesById = ReadonlyMap<UserId, Profile>;

export interface CaretLayer {
  /** Redraws when this frame has drawn the text, or in the next frame. */
  refresh(): void;
  setPeople(people: ProfilesById): void;
  /** All carets of others, each at its present place. */
  read(): readonly RemoteCaret[];
  /** The name at this person's caret stays, because the user follows it; null: no one is followed. */
  showName(user: UserId | null): void;
  /** Runs after each change of someone's caret. */
  subscribe(run: () => void): Cancel;
  destroy(): void;
}

/** Fade-outs are rounded up to this step so that they happen together: each one costs the browser a frame. */
const STEP_MS = 250;
/** A caret that did not move for this long is drawn faint; after the longer time it disappears. */
const IDLE_MS = 30_000;
const HIDE_AFTER_MS = 300_000;
/** With more carets than this, only the three that moved last have a name beside them, and the one that is followed. */
const MAX_NAMED = 6;
/** A thread is the fading line below text that its author just wrote. With more carets than this, none are drawn. */
const MAX_WITH_THREADS = 12;
/** The tops of carets in one line of text differ by less than this, so their rows are the same or neighbors. */
const SAME_LINE_PX = 8;
const UNKNOWN_PERSON = { displayName: 'Someone', color: 'gall' } as const;

export function createCaretLayer(view: EditorView, layer: HTMLElement, awareness: Awareness): CaretLayer {
  const tracker = trackRemoteCarets(awareness);
  const pool = new ElementPool(layer);
  let people: ProfilesById = new Map();
  let followed: UserId | null = null;
  let cancel: Cancel | null = null;
  let isDestroyed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = () => {
    // Fonts that load late, or a pending frame, must do nothing after `destroy`.
    if (!isDestroyed) cancel ??= runAfterDraws(draw);
  };
  const draw = () => {
    cancel = null;
    clearTimeout(timer);
    const now = Date.now();
    const carets = tracker.read(view.state, now).filter(({ movedAt }) => now - movedAt < HIDE_AFTER_MS);
    drawCarets(pool, measure(view, layer, carets), { people, followed }, now);
    const next = Math.min(...carets.flatMap((caret) => deadlines(caret, now)));
    if (next < Infinity) timer = setTimeout(refresh, Math.ceil(next / STEP_MS) * STEP_MS - now);
  };

  const resized = new ResizeObserver(refresh);
  resized.observe(view.dom);
  awareness.on('change', refresh);
  view.dom.addEventListener('scroll', refresh, true);
  void document.fonts.ready.then(refresh);
  refresh();
  return {
    refresh,
    setPeople(next) {
      people = next;
      refresh();
    },
    read: () => tracker.read(view.state, Date.now()),
    showName(user) {
      followed = user;
      refresh();
    },
    subscribe(run) {
      awareness.on('change', run);
      return () => awareness.off('change', run);
    },
    destroy() {
      isDestroyed = true;
      cancel?.();
      clearTimeout(timer);
      resized.disconnect();
      awareness.off('change', refresh);
      view.dom.removeEventListener('scroll', refresh, true);
      layer.replaceChildren();
    },
  };
}

function deadlines({ movedAt, namedUntil, threads }: RemoteCaret, now: number): readonly number[] {
  const all = [
    namedUntil,
    movedAt + IDLE_MS,
    movedAt + HIDE_AFTER_MS,
    ...threads.map(({ since }) => since + THREAD_MS),
  ];
  return all.filter((at) => at > now);
}

/** A caret with the boxes that are drawn for it. */
type MeasuredCaret = {
  readonly caret: RemoteCaret;
  readonly box: Box;
  readonly selected: readonly Box[];
  readonly threads: readonly Box[];
};

/** Everything is measured before anything is drawn: reading the layout after drawing forces a new layout. */
function measure(view: EditorView, layer: HTMLElement, carets: readonly RemoteCaret[]): readonly MeasuredCaret[] {
  const frame = layer.getBoundingClientRect();
  return carets.flatMap((caret) => {
    // A caret inside a folded body is shown at its toggle.
    const box = caretBox(view, frame, visiblePosition(view.state, caret.head));
    if (box === null) return [];
    const [from, to] = [Math.min(caret.anchor, caret.head), Math.max(caret.anchor, caret.head)];
    const selected = from === to ? [] : lineBoxes(view, frame, from, to);
    const drawn = carets.length <= MAX_WITH_THREADS ? caret.threads : [];
    const threads = joinThreads(drawn).flatMap(({ from, to }) => lineBoxes(view, frame, from, to));
    return [{ caret, box, selected, threads }];
  });
}

/**
 * Joins threads that touch into one, which fades from its left end as the oldest characters expire. With one element
 * and animation per character, the browser rendered every frame it could: half of the time, with five people typing.
 */
function joinThreads(threads: readonly CaretThread[]): readonly Pick<CaretThread, 'from' | 'to'>[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of threads) {
    const last = all.at(-1);
    if (last?.to === from) last.to = to;
    else all.push({ from, to });
  }
  return all;
}

type Names = { readonly people: ProfilesById; readonly followed: UserId | null };

function drawCarets(
  pool: ElementPool,
  measured: readonly MeasuredCaret[],
  { people, followed }: Names,
  now: number,
): void {
  const recent = measured.map(({ caret }) => caret).sort((a, b) => b.movedAt - a.movedAt);
  /** The people in each line, by its row: their names are shown at its end. */
  const ends = new Map<number, { readonly top: number; readonly people: (Profile | typeof UNKNOWN_PERSON)[] }>();
  for (const { caret, box, selected, threads } of measured) {
    const person = people.get(caret.user) ?? UNKNOWN_PERSON;
    const isRecent = now < caret.namedUntil && (measured.length <= MAX_NAMED || recent.indexOf(caret) < 3);
    const isFollowed = caret.user === followed;
    const line = pool.element(`caret-${caret.key}`, 'caret', person.color);
    line.style.transform = `translate(${box.x}px, ${box.y}px)`;
    line.style.height = `${box.height}px`;
    line.toggleAttribute('data-named', isRecent || isFollowed);
    line.toggleAttribute('data-followed', isFollowed);
    line.toggleAttribute('data-idle', now - caret.movedAt >= IDLE_MS);
    if (line.dataset['person'] !== person.displayName) line.dataset['person'] = person.displayName;
    selected.forEach((part, at) => {
      setBox(pool.element(`selected-${caret.key}-${at}`, 'caret-selected', person.color), part);
    });
    threads.forEach((part, at) => {
      setBox(pool.element(`thread-${caret.key}-${at}`, 'caret-thread', person.color), part);
    });
    const row = Math.round(box.y / SAME_LINE_PX);
    const end = ends.get(row) ?? ends.get(row - 1) ?? ends.get(row + 1);
    if (end === undefined) ends.set(row, { top: box.y + box.height / 2, people: [person] });
    // Someone with two tabs in one line is named once.
    else if (person === UNKNOWN_PERSON || !end.people.includes(person)) end.people.push(person);
  }
  for (const [row, { top, people: here }] of ends) drawNames(pool, row, top, here);
  pool.clean();
}

/** At these widths there is no room for two names between the text and the outline. */
const NARROW = '(min-width: 1280px) and (max-width: 1547px)';

/**
 * Shows the first names of the people in a line beside it, outside the text. One or two fit; the others are counted.
 */
function drawNames(
  pool: ElementPool,
  row: number,
  top: number,
  people: readonly { displayName: string; color: string }[],
): void {
  const end = pool.element(`end-${row}`, 'loose-ends', 'gall');
  // On half a pixel the edge of the name's ground is a visible line.
  end.style.transform = `translateY(${Math.round(top)}px)`;
  const shown = people.slice(0, pool.namesInLine).map(({ displayName, color }) => {
    const name = document.createElement('span');
    name.className = 'loose-end';
    name.dataset['dye'] = color;
    name.textContent = displayName.split(' ', 1)[0] ?? displayName;
    return name;
  });
  if (people.length > shown.length) {
    const more = document.createElement('span');
    more.className = 'loose-more';
    more.textContent = `+${people.length - shown.length}`;
    shown.push(more);
  }
  // Colors are assigned anew when people come and go.
  const names = shown.map((one) => `${one.dataset['dye']} ${one.textContent}`).join('\n');
  if (end.dataset['names'] === names) return;
  end.dataset['names'] = names;
  end.replaceChildren(...shown);
}

/** The elements of the layer by name. They are reused from frame to frame, so that transitions and threads continue. */
class ElementPool {
  readonly #layer: HTMLElement;
  readonly #narrow = matchMedia(NARROW);
  #known = new Map<string, HTMLElement>();
  #drawn = new Map<string, HTMLElement>();

  constructor(layer: HTMLElement) {
    this.#layer = layer;
  }

  get namesInLine(): number {
    return this.#narrow.matches ? 1 : 2;
  }

  element(name: string, className: string, color: string): HTMLElement {
    const found = this.#known.get(name) ?? this.#drawn.get(name) ?? this.#make(name, className);
    this.#drawn.set(name, found);
    if (found.dataset['dye'] !== color) found.dataset['dye'] = color;
    return found;
  }

  /** Removes the elements that were not used since the last call. */
  clean(): void {
    for (const [name, element] of this.#known) if (!this.#drawn.has(name)) element.remove();
    this.#known = this.#drawn;
    this.#drawn = new Map();
  }

  #make(name: string, className: string): HTMLElement {
    const created = this.#layer.appendChild(document.createElement('div'));
    created.dataset['name'] = name;
    created.className = className;
    return created;
  }
}

function setBox(element: HTMLElement, box: Box): void {
  element.style.transform = `translate(${box.x}px, ${box.y}px)`;
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
}
