// Grey bars in place of content that is still loading.
import { useEffect, useState } from 'react';

/** Content that loads faster than this replaces nothing: bars that only flash look worse. */
const SHOW_AFTER_MS = 300;

export function Skeleton({ label, widths }: { readonly label: string; readonly widths: readonly string[] }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={label} className="skeleton">
      {isShown &&
        widths.map((width, row) => (
          <div key={`${row}-${width}`} className="skeleton-bar" data-tall={row === 0 || undefined} style={{ width }} />
        ))}
    </div>
  );
}
