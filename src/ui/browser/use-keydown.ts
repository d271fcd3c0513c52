// Keys inside of an element that is no control itself. Not `onKeyDown`: React would also pass on the keys of a menu that is open
// elsewhere on the screen.
import { type RefCallback, useCallback, useLayoutEffect, useRef } from 'react';

export function useKeydown(run: (event: KeyboardEvent) => void): RefCallback<HTMLElement> {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((element: HTMLElement | null) => {
    const onKey = (event: KeyboardEvent) => latest.current(event);
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, []);
}
