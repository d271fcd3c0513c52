// The Random port from a seed.
import { assert } from '../../lib/assert.ts';
import { prng, uuidFrom } from '../../lib/prng.ts';
import { parseSessionId } from '../../protocol/ids.ts';
import type { Random } from '../../sync/ports.ts';

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
