// A formula for reading: as KaTeX draws it, its source until then, words when it is wrong.
import { useSyncExternalStore } from 'react';
import { currentMathRenderer, subscribeMathRenderer } from '../math/math-loader.ts';

export function StaticMath({ tex }: { readonly tex: string }) {
  // By a function that is another one once formulas are there: the React Compiler keeps what the same one once gave.
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
  // KaTeX escapes what it is given; with `trust` off it makes neither links nor anything that loads.
  return <div className="math-shown" dangerouslySetInnerHTML={{ __html: drawn.html }} />;
}
