// The Random port with numbers from a seed, so that a test can be repeated.
import { assert } from '../../lib/assert.ts';
import { prng, uuidFrom } from '../../lib/prng.ts';
import type { Random } from '../ports.ts';
import { parseSessionId } from '../protocol/ids.ts';

export function seededRandom(seed: number): Random {
  const next = prng(seed);
  return {
    next,
    session() {
      const session = parseSessionId(uuidFrom(next));
      assert(session !== null, 'a uuid is a session id');
      return session;
    },
  };
}
