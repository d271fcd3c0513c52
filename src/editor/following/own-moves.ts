// Notices that a person moves through the page or writes in it, and so no longer wants to follow someone. It uses events
// that the scrolling after a followed person does not fire.
import type { Cancel } from '../../lib/cancel.ts';

const SCROLL_KEYS = new Set(['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'Home', 'End', ' ']);
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'AltGraph']);
/** With Ctrl or ⌘: undo and redo write. */
const WRITING_KEYS = new Set(['z', 'y']);
const FIELDS = 'input, textarea, select, [contenteditable="true"]';
/** They have keys, clicks and an Escape of their own. */
const LAYERS = '[role="menu"], [role="dialog"], [role="listbox"], [role="search"], .pop, .dialog';

export type OwnMoves = {
  /** The page: what happens in the bar above it, the sidebar or a menu is no move. */
  readonly page: Element;
  /** A selector: elements inside the page, but not of it. */
  readonly except: string;
  readonly onMove: () => void;
  readonly onEscape: () => void;
};

export function onOwnMoves({ page, except, onMove, onEscape }: OwnMoves): Cancel {
  const controller = new AbortController();
  const isInPage = (target: EventTarget | null) =>
    target instanceof Element && page.contains(target) && target.closest(`${except}, ${LAYERS}`) === null;
  const isAroundPage = (target: EventTarget | null) =>
    target === document.body || target === document.documentElement || isInPage(target);
  const isFieldOfPage = (target: EventTarget | null) =>
    isInPage(target) && target instanceof Element && target.closest(FIELDS) !== null;

  const onWheel = (event: WheelEvent) => {
    // With Ctrl it zooms.
    if (!event.ctrlKey && isAroundPage(event.target)) onMove();
  };
  const onTouch = (event: TouchEvent) => {
    if (event.touches.length === 1 && isAroundPage(event.target)) onMove();
  };
  const onPointer = (event: PointerEvent) => {
    // Outside of the root element's box is its scrollbar.
    const isScrollbar = event.target === document.documentElement;
    if (isScrollbar || isInPage(event.target)) onMove();
  };
  const onKey = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (key === 'Escape') {
      const isElsewhere = target instanceof Element && target.closest(LAYERS) !== null;
      if (isElsewhere || event.isComposing) return;
      // Before the editor, where Escape selects the block.
      event.preventDefault();
      event.stopPropagation();
      onEscape();
    } else if (isFieldOfPage(target)) {
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand ? WRITING_KEYS.has(key.toLowerCase()) : !MODIFIERS.has(key)) onMove();
    } else if (SCROLL_KEYS.has(key) && !event.altKey && isAroundPage(target) && !(key === ' ' && isButton(target))) {
      onMove();
    }
  };
  const onInput = ({ target }: Event) => {
    if (isFieldOfPage(target)) onMove();
  };
  const options = { capture: true, passive: true, signal: controller.signal } as const;
  addEventListener('wheel', onWheel, options);
  addEventListener('touchmove', onTouch, options);
  addEventListener('pointerdown', onPointer, options);
  addEventListener('keydown', onKey, { capture: true, signal: controller.signal });
  for (const event of ['beforeinput', 'paste', 'cut', 'drop']) addEventListener(event, onInput, options);
  return () => controller.abort();
}

const isButton = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, summary, [role="button"]') !== null;
