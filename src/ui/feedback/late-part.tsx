// A part of a screen whose code loads after the screen. Unlike React's `lazy`, a part that cannot be loaded does not take the
// screen away, and is tried again when the browser goes online and each time it is shown. In a workspace and on the
// account screen `LoadWarning` tells the person. A part that fails does not take the screen away either.
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react';
import { Subscribable } from '../../lib/subscribable.ts';
import { LayerBoundary } from './error-boundary.tsx';

type LatePart<Props extends object> = ((props: Props) => ReactNode) & {
  /** Loads the code before the part is shown. */
  readonly preload: () => void;
};

/** The props by which dialogs are opened and closed, as far as a part has them. */
type Closable = {
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly onClose?: () => void;
};

/** `meanwhile` is shown until the part is loaded. */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): LatePart<Props> {
  const changes = new Subscribable();
  let part: ComponentType<Props> | null = null;
  const preload = () => {
    if (part !== null) return;
    load().then(
      (loaded) => {
        part = loaded;
        changes.notify();
      },
      () => undefined,
    );
  };
  const subscribe = (run: () => void) => {
    preload();
    addEventListener('online', preload);
    const stop = changes.subscribe(run);
    return () => {
      stop();
      removeEventListener('online', preload);
    };
  };
  const get = () => part;
  return Object.assign(
    function LatePart(props: Props) {
      const Part = useSyncExternalStore(subscribe, get);
      const { open, onOpenChange, onClose }: Closable = props;
      return (
        <LayerBoundary open={open} onDismiss={onClose ?? (onOpenChange && (() => onOpenChange(false)))}>
          {Part === null ? meanwhile : <Part {...props} />}
        </LayerBoundary>
      );
    },
    { preload },
  );
}
