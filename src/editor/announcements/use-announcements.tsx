// A live region for screen readers.
import { type ReactElement, useReducer } from 'react';

/** The region, and the function that announces a sentence in it. */
export function useAnnouncements(label: string): readonly [region: ReactElement, announce: (sentence: string) => void] {
  const [{ sentence, count }, announce] = useReducer(next, { sentence: '', count: 0 });
  const region = (
    <p className="sr-only" role="log" aria-live="polite" aria-label={label}>
      {/* A new element each time: if the same sentence came again, nothing would change and nothing would be read. */}
      <span key={count}>{sentence}</span>
    </p>
  );
  return [region, announce];
}

const next = ({ count }: { readonly count: number }, sentence: string) => ({ sentence, count: count + 1 });
