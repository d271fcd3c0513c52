// Says that code of the app that loads on demand did not load.
import { useEffect } from 'react';
import { PART_NOT_LOADED } from '../texts/content-texts.ts';
import { toast } from '../ui/floating/toast.tsx';

/** Vite fires the event in the built app. */
export function LoadWarning() {
  useEffect(() => {
    const warn = () => toast(PART_NOT_LOADED);
    addEventListener('vite:preloadError', warn);
    return () => removeEventListener('vite:preloadError', warn);
  }, []);
  return null;
}
