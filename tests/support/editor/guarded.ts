// Tests of guards run a scenario twice, with the guard and without it. Without it the loss must show, or the scenario
// proves nothing.
import { expect, test } from 'vitest';

/** The known traps of collaborative editors, by number (see traps/every-trap.test.ts). */
export type TrapId = `T${number}`;

/** `on` and `off` are the only difference: the editor, or the way something is done. */
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
  test(`without the guard it is lost: ${title}`, async () => {
    expect(lost).not.toEqual(kept);
    expect(await scenario(off)).toEqual(lost);
  });
}

export const trap = <How, Outcome>(id: TrapId, title: string, parts: Guarded<How, Outcome>): void =>
  guarded(`[${id}] ${title}`, parts);
