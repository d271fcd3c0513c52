// Tests of guards: one scenario twice, with the guard and without it. Without it the loss must be seen, or the scenario
// proves nothing.
import { expect, test } from 'vitest';

/** The traps of collaborative editors that others fell into, by number. */
export type TrapId = `T${number}`;

/** `on` and `off` are all that differs: the stage, or the way something is done. */
type Guarded<How, Outcome> = {
  readonly scenario: (how: How) => Outcome | Promise<Outcome>;
  readonly on: How;
  readonly off: How;
  readonly kept: Outcome;
  readonly lost: Outcome;
};

export function guarded<How, Outcome>(title: string, { scenario, on, off, kept, lost }: Guarded<How, Outcome>): void {
  test(title, async () => {
    expect(await scenario(on)).toEqual(kept);
  });
  test(`without the guard it would be lost: ${title}`, async () => {
    expect(lost).not.toEqual(kept);
    expect(await scenario(off)).toEqual(lost);
  });
}

export const trap = <How, Outcome>(id: TrapId, title: string, parts: Guarded<How, Outcome>): void =>
  guarded(`[${id}] ${title}`, parts);
