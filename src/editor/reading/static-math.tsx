// A formula for reading: rendered by KaTeX; its source until that is loaded; a message if it has an error.
import { useSyncExternalStore } from 'react';
import { currentMathRenderer, subscribeMathRenderer } from '../math/math-loader.ts';

export function StaticMath({ tex }: { readonly tex: string }) {
  // The function changes once KaTeX is loaded: the React Compiler caches the result of the same one.
  const draw = useSyncExternalStore(subscribeMathRenderer, currentMathRenderer);
  const drawn = tex.trim() === '' ? null : draw(tex);
  if (drawn === null || drawn.error !== null) {
    return (
      <>
        <pre className="block-text" dir="ltr" translate="no">
          <code>{tex}</code>
        </pre>
        {drawn !== null && (
          <div className="math-shown" data-error="">
            {drawn.error}
          </div>
        )}
      </>
    );
  }
  // KaTeX escapes its input, and with `trust` off it creates no links and loads nothing.
  return <div className="math-shown" dangerouslySetInnerHTML={{ __html: drawn.html }} />;
}
