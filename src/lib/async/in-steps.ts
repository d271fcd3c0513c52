// Runs long work in steps, so that the next key and the next frame have their turn.

/** After this long the work pauses for other work. */
const STEP_MS = 10;

/** Runs a generator to its end, with pauses. `onStep` receives what it yields. */
export async function inSteps<Step, Value>(
  steps: Generator<Step, Value>,
  onStep: (step: Step) => void = () => {},
): Promise<Value> {
  let startedAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onStep(step.value);
    if (performance.now() - startedAt < STEP_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    startedAt = performance.now();
  }
}
