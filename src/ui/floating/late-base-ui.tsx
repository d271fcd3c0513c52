// Base UI loads after the first screen, or when a layer opens before that: it is a fifth of a home's script.
import {
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  cloneElement,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { assert } from '../../lib/assert.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type * as BaseUiModule from './base-ui.ts';

type BaseUi = typeof BaseUiModule;

let loaded: BaseUi | null = null;
const changes = new Subscribable();

/** Does nothing if it cannot be loaded; the next layer that opens tries again. */
export async function loadBaseUi(): Promise<void> {
  if (loaded !== null) return;
  loaded = await import('./base-ui.ts').catch(() => null);
  changes.notify();
}

/** For what is drawn in an open layer. */
export function baseUi(): BaseUi {
  assert(loaded !== null, 'a layer opens when Base UI is loaded');
  return loaded;
}

/** Null until it is loaded, which begins as soon as it `isNeeded`. */
export function useBaseUi(isNeeded: boolean): BaseUi | null {
  const now = useSyncExternalStore(changes.subscribe, () => loaded);
  useEffect(() => {
    if (isNeeded) void loadBaseUi();
  }, [isNeeded]);
  return now;
}

type LateLayerProps = {
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  readonly popup: 'menu' | 'dialog';
  /** Undefined: the layer keeps it to itself. */
  readonly open?: boolean | undefined;
  readonly onOpenChange: ((open: boolean) => void) | undefined;
  readonly children: (base: BaseUi, isOpen: boolean) => ReactNode;
};

/** Only the trigger, until it is clicked. A button that has the focus must not be replaced just because the code is here. */
export function LateLayer({ trigger, popup, open = false, onOpenChange, children }: LateLayerProps) {
  const [wasReady] = useState(loaded !== null);
  const [isAsked, setAsked] = useState(false);
  const isWanted = isAsked || open;
  const base = useBaseUi(isWanted);
  if (base !== null && (wasReady || isWanted)) return children(base, isAsked);
  return cloneElement(trigger, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onClick: () => {
      setAsked(true);
      onOpenChange?.(true);
    },
  });
}
