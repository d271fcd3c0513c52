// A formula for reading, drawn by the same code as in the editor; its source until it is rendered, and beside an error.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { shownParts } from '../../ui/blocks/unsupported-block-text.ts';
import { type FormulaElement, createFormulaElement } from '../math/formula-element.ts';

export function StaticMath({ tex }: { readonly tex: string }) {
  const host = useRef<HTMLDivElement>(null);
  const formula = useRef<FormulaElement>(null);
  useLayoutEffect(() => {
    const created = createFormulaElement({ hint: '', showsSource: false, deletion: () => null });
    host.current?.replaceChildren(created.dom);
    formula.current = created;
    return () => {
      created.destroy();
      formula.current = null;
    };
  }, []);
  // After the effect above, which runs again in strict mode.
  useEffect(() => formula.current?.show(tex));
  return (
    <>
      <pre className="block-text math-source" dir="ltr" translate="no">
        <code>{shownParts(tex, 1).shown}</code>
      </pre>
      <div ref={host} className="drawn" />
    </>
  );
}
