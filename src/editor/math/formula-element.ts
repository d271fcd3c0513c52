// The element that shows a rendered formula, in the editor and for reading. The last formula stays until the next one is
// rendered; a formula that is too costly is shown as text.
import type { Cancel } from '../../lib/cancel.ts';
import { CONTENT_TEXTS } from '../../texts/content-texts.ts';
import { MAX_FORMULA_HTML, formulaAllowance } from '../../ui/blocks/drawing-limits.ts';
import { shownParts } from '../../ui/blocks/unsupported-block-text.ts';
import { createUnsupportedBlock } from '../../ui/blocks/unsupported-block.ts';
import { drawingFrames } from '../../ui/browser/frame-budget.ts';
import { type Formula, watchFormula } from './formulas.ts';

export type FormulaElement = {
  readonly dom: HTMLElement;
  readonly show: (tex: string) => void;
  readonly destroy: () => void;
};

export type FormulaOptions = {
  /** Shown instead of an empty formula. */
  readonly hint: string;
  /** Whether it shows the source until the formula is rendered. */
  readonly showsSource: boolean;
  /** Deletes the block; null if that is not allowed. Called when the formula is shown as text. */
  readonly deletion: () => (() => void) | null;
};

const NOTHING: Cancel = () => {};

/**
 * `data-drawn`: it shows everything there is, so that the source can be hidden. `data-error`: it shows what is wrong
 * with the source.
 */
export function createFormulaElement({ hint, showsSource, deletion }: FormulaOptions): FormulaElement {
  const dom = document.createElement('div');
  dom.className = 'math-shown';
  let current: string | null = null;
  let isRendered = false;
  let stopWatching = NOTHING;
  let stopDrawing = NOTHING;
  let giveBack = NOTHING;
  const stop = () => {
    stopWatching();
    stopDrawing();
  };
  const put = (state: 'drawn' | 'error' | 'waiting', draw: () => void) => {
    giveBack();
    giveBack = NOTHING;
    isRendered = state !== 'waiting';
    dom.toggleAttribute('data-drawn', state === 'drawn');
    dom.toggleAttribute('data-error', state === 'error');
    draw();
  };
  const putText = (state: 'error' | 'waiting', text: string) => put(state, () => (dom.textContent = text));
  const putUnsupported = (note: string, tex: string) =>
    put('drawn', () => dom.replaceChildren(createUnsupportedBlock({ note, text: tex, onDelete: deletion() }).dom));
  const draw = (tex: string, formula: Formula) => {
    switch (formula.kind) {
      case 'html':
        return put('drawn', () => {
          const taken = formulaAllowance.take(formula.html.length);
          if (taken === null) return putUnsupported(CONTENT_TEXTS.tooManyFormulas, tex);
          giveBack = taken;
          // KaTeX escapes its input, and with `trust` off it creates no links and loads nothing.
          dom.innerHTML = formula.html;
        });
      case 'wrong':
        return putText('error', formula.message);
      case 'failed':
        return putText('error', CONTENT_TEXTS.formulasNotLoaded);
      case 'tooLarge':
        return putUnsupported(CONTENT_TEXTS.formulaTooLarge, tex);
    }
  };
  return {
    dom,
    show(tex) {
      if (tex === current) return;
      current = tex;
      stop();
      if (tex.trim() === '') return putText('waiting', hint);
      if (!isRendered) putText('waiting', showsSource ? shownParts(tex, 1).shown : '');
      stopWatching = watchFormula(tex, (formula) => {
        const cost = formula.kind === 'html' ? formula.html.length / MAX_FORMULA_HTML : 0;
        stopDrawing = drawingFrames.run(cost, () => draw(tex, formula));
      });
    },
    destroy() {
      stop();
      giveBack();
    },
  };
}
