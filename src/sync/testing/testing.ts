// The exports of `weft-sync/testing`: the ports in memory.
export { MemoryEnvironment } from './memory-environment.ts';
export { MemoryHub, type MemoryLink, type Transport } from './memory-hub.ts';
export { MemoryLocks } from './memory-locks.ts';
export { type MemoryPortsOptions, memoryPorts } from './memory-ports.ts';
export { MemoryServer } from './memory-server.ts';
export { MemoryStore } from './memory-store.ts';
export { MemoryTabs } from './memory-tabs.ts';
export { seededRandom } from './seeded-random.ts';
export { SimClock } from './sim-clock.ts';
