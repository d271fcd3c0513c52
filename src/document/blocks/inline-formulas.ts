// Formulas in a line: text with the mark `formula` that stands between dollar signs, as in Markdown. The signs are characters
// of the text, so two people merge character by character, search and plain copies have the source, and taking the mark away
// gives back what was typed. Marked text without its two signs is plain text.
import { type Marks, type Run, textOfRuns } from './block.ts';
import { joinRuns } from './detached-block.ts';

export const FORMULA_MARK = 'formula' satisfies keyof Marks;

/** Characters between the signs; a longer formula is shown as its source. */
export const MAX_INLINE_TEX = 1_000;
/**
 * This many formulas of one text are drawn; the others are shown as their source. At each key the browser lays out all of
 * the text again.
 */
export const MAX_FORMULAS_OF_TEXT = 100;

/** A formula's range in a text, with its two signs. */
export type InlineFormula = { readonly from: number; readonly to: number; readonly tex: string };

/** A backslash takes the next character with it: `\$` is a dollar sign in the formula. */
const FORMULA = /\$((?:\\[^]|[^\\$])+)\$/g;
const CLOSED_FORMULA = /\$(?!\s)((?:\\[^\n]|[^\\$\n])+)(?<!\s)\$$/;

/** The formulas in a range of marked text; at most as many as are drawn. */
export function formulasInText(marked: string): readonly InlineFormula[] {
  const formulas: InlineFormula[] = [];
  for (const { index, 0: source, 1: tex = '' } of marked.matchAll(FORMULA)) {
    if (tex.trim() === '' || tex.length > MAX_INLINE_TEX) continue;
    formulas.push({ from: index, to: index + source.length, tex: tex.trim() });
    if (formulas.length >= MAX_FORMULAS_OF_TEXT) break;
  }
  return formulas;
}

/**
 * The formula that the last sign of this text closes, as Pandoc reads it: no blank behind the first sign and before the
 * last one. If a digit follows, both were amounts (`$5 and $6`): the caller checks that. Null if it closes none.
 */
export function formulaClosedBy(text: string): InlineFormula | null {
  const [source, tex = ''] = CLOSED_FORMULA.exec(text) ?? [];
  const from = text.length - (source?.length ?? 0);
  if (source === undefined || tex.length > MAX_INLINE_TEX || isEscapedAt(text, from)) return null;
  return { from, to: text.length, tex };
}

function isEscapedAt(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** A run that is one formula, or text without formulas. */
export type FormulaRun = { readonly run: Run; readonly tex: string | null };

/**
 * Cuts runs at the formulas in them. A formula has the marks of its first character: it is drawn as a whole. Marked text that is
 * no formula loses the mark.
 */
export function cutFormulas(runs: readonly Run[]): readonly FormulaRun[] {
  const cut: FormulaRun[] = [];
  for (let at = 0; at < runs.length;) {
    let end = at + 1;
    const isFormula = runs[at]?.formula === true;
    while (end < runs.length && (runs[end]?.formula === true) === isFormula) end++;
    const range = runs.slice(at, end);
    if (isFormula) cut.push(...cutRange(range));
    else cut.push(...range.map((run) => ({ run, tex: null })));
    at = end;
  }
  return cut;
}

function cutRange(range: readonly Run[]): readonly FormulaRun[] {
  const cut: FormulaRun[] = [];
  let at = 0;
  const plain = (to: number) => {
    const between = sliceRuns(range, at, to).map((run) => ({ ...run, formula: false }));
    cut.push(...joinRuns(between).map((run) => ({ run, tex: null })));
  };
  for (const { from, to, tex } of formulasInText(textOfRuns(range))) {
    plain(from);
    const [first] = sliceRuns(range, from, to);
    if (first !== undefined) cut.push({ run: { ...first, text: formulaText(tex) }, tex });
    at = to;
  }
  plain(Infinity);
  return cut;
}

function sliceRuns(runs: readonly Run[], from: number, to: number): readonly Run[] {
  let start = 0;
  return runs.flatMap((run) => {
    const text = run.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += run.text.length;
    return text === '' ? [] : [{ ...run, text }];
  });
}

/** TeX as it stands in a text. */
export const formulaText = (tex: string): string => `$${tex.trim()}$`;

/** TeX from elsewhere can be a formula in a line if reading it back gives the same. */
export const isInlineTex = (tex: string): boolean =>
  tex.trim() !== '' && formulasInText(formulaText(tex))[0]?.to === formulaText(tex).length;
