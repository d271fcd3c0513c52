// Keeps the keyboard's place when a part of the screen fails. Without it the focus starts again at the top of the window.
import { type ComponentProps, useLayoutEffect, useRef } from 'react';

type FailureFocus = {
  /** For the element that stands in the part's place. */
  readonly place: Pick<ComponentProps<'div'>, 'ref' | 'tabIndex' | 'onFocus'>;
  /** Call it before the element goes away: the focus returns to where it came from, or to what is around the element. */
  readonly leave: () => void;
};

export function useFailureFocus(): FailureFocus {
  const element = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget>(null);
  useLayoutEffect(() => {
    // The part that failed had the focus, or nothing had.
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, []);
  const leave = () => {
    const around = element.current?.parentElement?.closest('[tabindex]');
    const target = [cameFrom.current, around].find((one) => one instanceof HTMLElement && one.isConnected);
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
  return {
    place: {
      ref: element,
      tabIndex: -1,
      onFocus({ currentTarget, relatedTarget }) {
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
      },
    },
    leave,
  };
}
