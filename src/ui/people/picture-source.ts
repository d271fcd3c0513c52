// The source of people's pictures for tags. The app provides it for screens of signed-in people; elsewhere tags have initials.
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';

export type PictureSource = {
  readonly watch: (path: string, run: () => void) => () => void;
  /** Null while the picture is not there. */
  readonly urlOf: (path: string) => string | null;
};

export const PictureContext = createContext<PictureSource | null>(null);

/** The URL of a person's picture while the component is mounted; null without one, or while it is not there. */
export function usePictureUrl(path: string | null): string | null {
  const source = useContext(PictureContext);
  const watch = useCallback(
    (run: () => void) => (source === null || path === null ? () => undefined : source.watch(path, run)),
    [source, path],
  );
  return useSyncExternalStore(watch, () => (source === null || path === null ? null : source.urlOf(path)));
}
