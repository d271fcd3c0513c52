// The CrossTabEvents port of src/state in memory, for tabs in one process.
import type { Clock } from 'weft-sync/ports.ts';

const DELIVERY_MS = 1;

/** The events of one browser. Each tab joins. */
export function memoryCrossTabEvents(clock: Pick<Clock, 'after'>) {
  const joined = new Set<() => void>();
  return {
    join(onChange: () => void) {
      // A new function for each join, because two tabs may join with the same one.
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
