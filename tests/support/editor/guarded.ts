// A guard is code that prevents a loss. Its test runs a scenario with the guard and without it. Without the guard the loss must
// happen, or the scenario proves nothing.
import { expect, test } from 'vitest';

/** A known way in which editors lose words (docs/losses.md). */
type LossId = `T${number}`;

/** The scenario gets `on` with the guard and `off` without it. Everything else is the same. */
type Guarded<How, Outcome> = {
  readonly scenario: (how: How) => Outcome | Promise<Outcome>;
  readonly on: How;
  readonly off: How;
  readonly kept: Outcome;
  readonly lost: Outcome;
};

/** Registers two tests: the outcome is `kept` with the guard, and `lost` without it. */
export function guarded<How, Outcome>(title: string, { scenario, on, off, kept, lost }: Guarded<How, Outcome>): void {
  test(title, async () => {
    expect(await scenario(on)).toEqual(kept);
  });
  test(`without the guard it fails: ${title}`, async () => {
    expect(lost).not.toEqual(kept);
    expect(await scenario(off)).toEqual(lost);
  });
}

/** A `guarded` scenario of a known loss. */
export const loss = <How, Outcome>(id: LossId, title: string, parts: Guarded<How, Outcome>): void =>
  guarded(`[${id}] ${title}`, parts);
