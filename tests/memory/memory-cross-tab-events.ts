// The CrossTabEvents port of src/state for tabs of one process.
import type { Clock } from '../../src/sync/ports.ts';

const DELIVERY_MS = 1;

/** One browser with any number of tabs. */
export function memoryCrossTabEvents(clock: Pick<Clock, 'after'>) {
  const joined = new Set<() => void>();
  return {
    join(onChange: () => void) {
      // A function of its own, even if two tabs join with the same one.
      const own = () => onChange();
      joined.add(own);
      return {
        notify() {
          if (!joined.has(own)) return;
          for (const other of joined) {
            if (other !== own) clock.after(DELIVERY_MS, () => joined.has(other) && other());
          }
        },
        leave: () => void joined.delete(own),
      };
    },
  };
}
