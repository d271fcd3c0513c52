// The changes to pages of a workspace that this person made in this tab and can take back, the newest last.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { type Result, ok } from '../../../lib/result.ts';
import { textOf } from '../../../texts/error-texts.ts';

export type UndoStep = {
  /** Takes the change back. Nothing happens the second time. */
  readonly undo: () => Promise<Result<unknown, WeftError>>;
};

/** No one takes back more. */
const MAX_STEPS = 50;

export class UndoSteps {
  #steps: readonly UndoStep[] = [];

  add(takeBack: UndoStep['undo']): UndoStep {
    const step: UndoStep = {
      undo: () => {
        if (!this.#steps.includes(step)) return Promise.resolve(ok(null));
        this.#steps = this.#steps.filter((one) => one !== step);
        return takeBack();
      },
    };
    this.#steps = [...this.#steps, step].slice(-MAX_STEPS);
    return step;
  }

  /** Null: nothing is left to take back. */
  get newest(): UndoStep | null {
    return this.#steps.at(-1) ?? null;
  }
}

/** Undoes a step. Resolves to the text of the error, or null. */
export async function undoOf(step: UndoStep): Promise<string | null> {
  const undone = await step.undo();
  return undone.ok ? null : textOf(undone.error);
}
