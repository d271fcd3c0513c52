// Yjs deletes and garbage-collects types inside each other by recursion. From about 4,000 levels on that overflows the stack
// in the middle of a transaction, at a depth that differs between browsers: documents would then differ for good. Here
// both go through a queue.
import * as Y from 'yjs';
import { assert } from '../lib/assert.ts';

type Step = (this: Y.ContentType, argument: unknown) => void;

for (const name of ['delete', 'gc']) {
  const step: unknown = Reflect.get(Y.ContentType.prototype, name);
  assert(typeof step === 'function', 'the pinned version of Yjs has this method');
  Reflect.set(
    Y.ContentType.prototype,
    name,
    queued(function (argument) {
      Reflect.apply(step, this, [argument]);
    }),
  );
}

/** The same step, but called for an inner type while an outer one is being worked on, it runs after the outer one. */
function queued(step: Step): Step {
  let queue: Y.ContentType[] | null = null;
  return function run(argument) {
    if (queue !== null) {
      queue.push(this);
      return;
    }
    queue = [this];
    try {
      // It grows while it is read.
      for (const content of queue) step.call(content, argument);
    } finally {
      queue = null;
    }
  };
}
