// Keeps the screen on. The browser takes the lock away whenever the page is hidden, so this requests it again each time the
// page comes back. Without a lock the screen may go dark; no message about that is needed.
import { useEffect } from 'react';

export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const acquire = async () => {
      if (isOver || document.visibilityState !== 'visible' || lock !== null) return;
      try {
        const granted = await navigator.wakeLock.request('screen');
        // Another request may have been under way.
        if (isOver || lock !== null) return void granted.release();
        lock = granted;
        granted.addEventListener('release', () => {
          lock = null;
          void acquire();
        });
      } catch {
        // Over plain http there is no wake lock, and on low battery the browser refuses one.
      }
    };
    const onVisible = () => void acquire();
    void acquire();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', onVisible);
      void lock?.release();
    };
  }, []);
}
