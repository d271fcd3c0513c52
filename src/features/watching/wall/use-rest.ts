// Whether no one has touched the mouse, the keyboard or the screen for a while.
import { useEffect, useState } from 'react';

const EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;

export function useRest(ms: number): boolean {
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setResting(true), ms);
      setResting(false);
    };
    wake();
    for (const event of EVENTS) addEventListener(event, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of EVENTS) removeEventListener(event, wake);
    };
  }, [ms]);
  return isResting;
}
