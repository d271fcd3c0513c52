// The edge of a picture that sets its width, 10 to 100 % of the column, by dragging or arrow keys. Dragging writes to
// the page once, when the pointer is released.
import { element } from './elements.ts';

const STEP_PERCENT = 5;
/** In percent of the column. */
export const boundedSize = (size: number): number => Math.min(100, Math.max(10, Math.round(size)));
export const percentOf = (picture: HTMLElement, column: HTMLElement): number =>
  boundedSize((picture.offsetWidth / column.offsetWidth) * 100);

export type SizeHandle = {
  readonly dom: HTMLElement;
  readonly update: (size: number | null) => void;
  readonly destroy: () => void;
};

/** `picture` follows the pointer while dragging; percentages refer to `column`. */
export function sizeHandle(picture: HTMLElement, column: HTMLElement, set: (size: number) => void): SizeHandle {
  const dom = element('span', {
    class: 'size-handle',
    role: 'slider',
    tabindex: '0',
    'aria-label': 'Picture width',
    'aria-valuemin': '10',
    'aria-valuemax': '100',
  });
  let size: number | null = null;
  const shown = () => size ?? percentOf(picture, column);
  const showValue = (now: number) => {
    dom.setAttribute('aria-valuenow', String(now));
    dom.setAttribute('aria-valuetext', `${now} % of the column`);
  };

  let end: (() => void) | null = null;
  const start = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const from = { x: event.clientX, width: picture.offsetWidth };
    // The picture is centered, so a movement changes both sides.
    const sizeAt = (x: number) => boundedSize(((from.width + 2 * (x - from.x)) / column.offsetWidth) * 100);
    let last: number | null = null;
    const move = ({ clientX }: PointerEvent) => {
      last = sizeAt(clientX);
      picture.style.width = `${last}%`;
      showValue(last);
    };
    end = () => {
      dom.removeEventListener('pointermove', move);
      dom.removeEventListener('pointerup', finish);
      dom.removeEventListener('pointercancel', finish);
      end = null;
    };
    const finish = () => {
      end?.();
      if (last !== null && last !== size) set(last);
    };
    dom.setPointerCapture(event.pointerId);
    dom.addEventListener('pointermove', move);
    dom.addEventListener('pointerup', finish);
    dom.addEventListener('pointercancel', finish);
  };
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -STEP_PERCENT, ArrowDown: -STEP_PERCENT, ArrowRight: STEP_PERCENT, ArrowUp: STEP_PERCENT }[
      event.key
    ];
    const to =
      event.key === 'Home' ? 10 : event.key === 'End' ? 100 : by === undefined ? null : boundedSize(shown() + by);
    if (to === null) return;
    event.preventDefault();
    if (to !== size) set(to);
  };
  // Measured on focus only, because measuring forces a layout.
  dom.addEventListener('focus', () => showValue(shown()));
  dom.addEventListener('pointerdown', start);
  dom.addEventListener('keydown', key);
  return {
    dom,
    update(next) {
      size = next;
      showValue(next ?? 100);
    },
    destroy: () => end?.(),
  };
}
