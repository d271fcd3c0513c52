// The element that shows a formula in a line, in the editor and for reading: its source until it is drawn, and if it is
// wrong or too costly.
import { formulaText } from 'weft-document/blocks/inline-formulas.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { CONTENT_TEXTS } from '../../texts/content-texts.ts';
import { MAX_FORMULA_HTML, formulaAllowance } from '../../ui/blocks/drawing-limits.ts';
import { drawingFrames } from '../../ui/browser/frame-budget.ts';
import { type Formula, watchInlineFormula } from './formulas.ts';

/** The browser lays out the text around it again: a twentieth of a frame. */
const LAYOUT_COST = 0.05;

export type InlineFormulaElement = { readonly dom: HTMLElement; readonly destroy: Cancel };

/**
 * `data-error`: it shows the source, and its title says what is wrong. KaTeX writes MathML for screen readers. `before` is
 * shown instead of the source until the formula is drawn.
 */
export function createInlineFormula(tex: string, before: Node | null): InlineFormulaElement {
  const dom = document.createElement('span');
  dom.className = 'formula-shown';
  dom.translate = false;
  dom.append(before?.cloneNode(true) ?? formulaText(tex));
  let giveBack: Cancel = () => {};
  let stopDrawing: Cancel = () => {};
  const showSource = (problem: string) => {
    dom.textContent = formulaText(tex);
    dom.title = problem;
    dom.dataset['error'] = '';
  };
  const draw = (formula: Formula) => {
    switch (formula.kind) {
      case 'html': {
        const taken = formulaAllowance.take(formula.html.length);
        if (taken === null) return showSource(CONTENT_TEXTS.tooManyFormulas);
        giveBack = taken;
        // KaTeX escapes its input, and with `trust` off it creates no links and loads nothing.
        dom.innerHTML = formula.html;
        return undefined;
      }
      case 'wrong':
        return showSource(formula.message);
      case 'failed':
        return showSource(CONTENT_TEXTS.formulasNotLoaded);
      case 'tooLarge':
        return showSource(CONTENT_TEXTS.formulaTooLarge);
    }
  };
  const stopWatching = watchInlineFormula(tex, (formula) => {
    const cost = formula.kind === 'html' ? formula.html.length / MAX_FORMULA_HTML + LAYOUT_COST : 0;
    stopDrawing = drawingFrames.run(cost, () => draw(formula));
  });
  return {
    dom,
    destroy() {
      stopWatching();
      stopDrawing();
      giveBack();
    },
  };
}
