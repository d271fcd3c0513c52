// Deliberately broken builds, one per rule at least: a simulation that does not notice them proves nothing about the
// rule. Each replaces one text in one file; `npm run sim -- --mutants` runs them all.

export type Mutant = {
  /** Rule and a word: `D1-overlap`. */
  readonly id: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** What an engineer could have meant by it. */
  readonly why: string;
  /** Where it is looked for; both when left out. */
  readonly mode?: 'rows' | 'frames';
};

export const MUTANTS: readonly Mutant[] = [];

/** Throws when the text is not there exactly once: the code has changed, and the mutant has to follow it. */
export function mutated({ id, find, replace }: Mutant, source: string): string {
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`mutant ${id} no longer applies: its text is there ${times} times`);
  return source.replace(find, () => replace);
}
