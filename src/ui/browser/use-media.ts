// A hook that returns whether a media query matches, updated when that changes.
import { useCallback, useSyncExternalStore } from 'react';

export const PHONE = '(max-width: 720px)';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (run: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', run);
      return () => list.removeEventListener('change', run);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
