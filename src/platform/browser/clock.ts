// The Clock and Random ports of a browser (and of Node).
import { assert } from '../../lib/assert.ts';
import { uuidFrom } from '../../lib/prng.ts';
import { parseSessionId } from '../../protocol/ids.ts';
import type { Clock, Random } from '../../sync/ports.ts';

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const next = (): number => {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
};

export const browserRandom: Random = {
  next,
  session() {
    // `crypto.randomUUID` exists only in secure contexts; `getRandomValues` exists everywhere.
    const session = parseSessionId(typeof crypto.randomUUID === 'function' ? crypto.randomUUID() : uuidFrom(next));
    assert(session !== null, 'a uuid is a session id');
    return session;
  },
};
