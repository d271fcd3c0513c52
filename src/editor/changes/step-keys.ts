// Going through the changes of a page: N for the next, Shift N for the one before, and from the last to the first.
import { useEffect, useEffectEvent } from 'react';

/** The index after a step. `at` is the current one, null before the first step. */
export function stepFrom(at: number | null, count: number, by: 1 | -1): number {
  if (at === null) return by === 1 ? 0 : count - 1;
  return (at + by + count) % count;
}

/** `ignored` is a selector: a key within such elements is left alone. */
export function useStepKeys(ignored: string, onStep: (by: 1 | -1) => void): void {
  const step = useEffectEvent(onStep);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
      if (key.toLowerCase() !== 'n' || ctrlKey || metaKey || altKey || defaultPrevented) return;
      if (target instanceof Element && target.closest(ignored)) return;
      event.preventDefault();
      step(shiftKey ? -1 : 1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [ignored]);
}
