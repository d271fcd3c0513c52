// How much of the window's bottom the on-screen keyboard covers: `--keyboard`. Bars and forms at the bottom of the
// window stand above it.
import { useEffect, useSyncExternalStore } from 'react';

/** Keeps `--keyboard` of the whole page up to date while the component is mounted. */
export function useKeyboardHeight(): void {
  const keyboard = useSyncExternalStore(subscribeToViewport, keyboardHeight);
  useEffect(() => {
    document.documentElement.style.setProperty('--keyboard', `${keyboard}px`);
  }, [keyboard]);
}

function subscribeToViewport(onChange: () => void): () => void {
  const onViewport = () => {
    keyboard = measuredKeyboard();
    onChange();
  };
  onViewport();
  window.visualViewport?.addEventListener('resize', onViewport);
  window.visualViewport?.addEventListener('scroll', onViewport);
  return () => {
    window.visualViewport?.removeEventListener('resize', onViewport);
    window.visualViewport?.removeEventListener('scroll', onViewport);
  };
}

/** Measured at events of the viewport only: in a rendering, the measurement makes the browser lay out the page. */
let keyboard = 0;
const keyboardHeight = (): number => keyboard;

function measuredKeyboard(): number {
  const visible = window.visualViewport;
  // Missing in some browsers, whatever the types say.
  return visible == null ? 0 : Math.max(0, Math.round(window.innerHeight - visible.height - visible.offsetTop));
}
