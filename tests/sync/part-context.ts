// The context of one part of a session, over the memory server, for tests of that part alone.
import type { Ports } from 'weft-sync/ports.ts';
import type { SessionContext } from 'weft-sync/session-context.ts';
import type { SessionEvent } from 'weft-sync/session-event.ts';
import { createContext } from 'weft-sync/session/session-options.ts';
import { memoryPorts } from 'weft-sync/testing/memory-ports.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import type { Awareness } from 'y-protocols/awareness';
import { DOCUMENT, SyncHarness } from './sync-harness.ts';

export type PartContext = SessionContext & { readonly awareness: Awareness };

/** A live context of an editor, with the given ports replaced. `emit` receives what the part reports. */
export function partContext(
  ports: Partial<Ports>,
  emit: (event: SessionEvent) => void = () => {},
  { liveBudget = 100, harness = new SyncHarness() } = {},
): PartContext {
  const clock = ports.clock ?? harness.clock;
  const { user } = harness.user('alice');
  const random = seededRandom(1);
  const options = {
    user,
    ports: { ...memoryPorts(harness.server, { user, clock, random }), ...ports },
    schemaVersion: 1,
    liveBudget: () => liveBudget,
  };
  const context = createContext(DOCUMENT, options, options.ports, emit);
  context.connection.isReady = true;
  context.connection.state = { status: 'live', attempt: 0 };
  context.rights.restore('editor');
  return context;
}
