// A finger that rests on a row opens its menu. Browsers on Android say so by themselves (`contextmenu`), Safari does not.
import { type PointerEvent, useEffect, useEffectEvent, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';

const LONG_MS = 500;
/** A finger is never quite still. */
const STILL_PX = 10;

type Press = { readonly id: DocumentId; readonly x: number; readonly y: number };

export function useLongPress(onLongPress: (row: DocumentId) => void) {
  const [press, setPress] = useState<Press | null>(null);
  const reached = useEffectEvent((row: DocumentId) => {
    ignoreLift();
    onLongPress(row);
  });
  useEffect(() => {
    if (press === null) return;
    const end = () => setPress(null);
    const moved = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (Math.hypot(clientX - press.x, clientY - press.y) > STILL_PX) end();
    };
    const timer = setTimeout(() => {
      reached(press.id);
      end();
    }, LONG_MS);
    addEventListener('pointermove', moved);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointermove', moved);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
  }, [press]);
  return {
    /** For each `onPointerDown` of the tree: `id` is the row under the finger. */
    start: (event: PointerEvent, id: DocumentId | null) => {
      if (id !== null && event.pointerType === 'touch') setPress({ id, x: event.clientX, y: event.clientY });
    },
    /** For `onContextMenu`: the browser has noticed it first. */
    noticed: () => {
      if (press !== null) ignoreLift();
      setPress(null);
    },
  };
}

/** The press and click that a browser makes of a finger that leaves would close the menu and open the page. */
function ignoreLift(): void {
  const leave = (event: TouchEvent) => {
    removeEventListener('touchend', leave, true);
    removeEventListener('touchcancel', leave, true);
    if (event.cancelable) event.preventDefault();
  };
  addEventListener('touchend', leave, { capture: true, passive: false });
  addEventListener('touchcancel', leave, true);
}
