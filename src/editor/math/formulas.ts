// Renders formulas in a worker, with a deadline, and remembers the results. Knows no editor.
import * as v from 'valibot';
import { DeadlineWorker } from '../../lib/async/deadline-worker.ts';
import { type Computed, SharedResults } from '../../lib/async/shared-results.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { MAX_TEX_CHARACTERS } from '../../ui/blocks/drawing-limits.ts';
import type { MathJob, RenderedMath } from './rendered-math.ts';

/** `failed`: the renderer did not load, or broke. The next formula tries again. */
export type Formula = RenderedMath | { readonly kind: 'failed' };

const answer = v.variant('kind', [
  v.object({ kind: v.literal('html'), html: v.string() }),
  v.object({ kind: v.literal('wrong'), message: v.string() }),
  v.object({ kind: v.literal('tooLarge') }),
]);

/** A formula of a page takes 1 to 20 ms; the rest is for slow and busy devices. */
const LIMITS = { deadlineMs: 2_000, shortestDeadlineMs: 250 };
/** Characters of sources and HTML that are remembered, of formula blocks and of formulas in a line each. */
const MAX_REMEMBERED = 2_000_000;

const worker = new DeadlineWorker<MathJob, RenderedMath>(
  () => new Worker(new URL('./math-worker.ts', import.meta.url), { type: 'module', name: 'weft-math' }),
  answer,
  LIMITS,
);

const renderedFormulas = (isInline: boolean) =>
  new SharedResults<Formula>(
    async (tex, signal) => {
      const [formula] = await Promise.all([render({ tex, output: 'page', isInline }, signal), loadStyles()]);
      return formula;
    },
    (formula) => (formula.kind === 'html' ? formula.html.length : 0),
    MAX_REMEMBERED,
  );

const formulas = renderedFormulas(false);
const inlineFormulas = renderedFormulas(true);

type OnFormula = (formula: Formula) => void;

/** Calls back once with the rendered formula, at once if it is remembered. */
export const watchFormula = (tex: string, onFormula: OnFormula): Cancel => formulas.watch(tex, onFormula);

/** The same for a formula in a line. */
export const watchInlineFormula = (tex: string, onFormula: OnFormula): Cancel => inlineFormulas.watch(tex, onFormula);

/** The formula as MathML, or null if it cannot be rendered. */
export async function formulaAsMathMl(tex: string, isInline: boolean): Promise<string | null> {
  const rendered = await render({ tex, output: 'mathml', isInline }, null);
  return rendered?.value.kind === 'html' ? rendered.value.html : null;
}

async function render(job: MathJob, signal: AbortSignal | null): Promise<Computed<Formula> | null> {
  if (job.tex.length > MAX_TEX_CHARACTERS) return { value: { kind: 'tooLarge' }, isFinal: true };
  const result = await worker.run(job, signal);
  if (result.ok) return { value: result.value, isFinal: true };
  if (result.error === 'cancelled') return null;
  return result.error === 'tooSlow'
    ? { value: { kind: 'tooLarge' }, isFinal: true }
    : { value: { kind: 'failed' }, isFinal: false };
}

async function loadStyles(): Promise<void> {
  // Offline and not cached yet: the formula is legible without them.
  await import('./math-styles.ts').catch(() => undefined);
}
