// Places without content: empty, loading, broken.
import { type ReactNode, useEffect, useState } from 'react';

type EmptyProps = {
  readonly title: string;
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
};

/** One heading, one sentence, one action. */
export function Empty({ title, level = 2, children, actions }: EmptyProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Heading>{title}</Heading>
      {children}
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}

/** A flash of bars is worse than a short nothing. */
const BONES_AFTER_MS = 300;

export function Bones({ label, widths }: { readonly label: string; readonly widths: readonly string[] }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), BONES_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={label} className="bones">
      {isShown &&
        widths.map((width, row) => (
          <div key={`${row}-${width}`} className="bone" data-tall={row === 0 || undefined} style={{ width }} />
        ))}
    </div>
  );
}
