// Everything that goes wrong in a simulated world, and how often per second at the usual rate.
import type { SimTab } from '../world/sim-tab.ts';
import type { Simulation } from '../world/sim-world.ts';

type Fault = { readonly perSecond: number; readonly inject: (simulation: Simulation, tab: SimTab) => void };

const CUTS = ['everything', 'Realtime', 'HTTP'] as const;

const FAULTS: readonly Fault[] = [
  { perSecond: 0.25, inject: (_world, tab) => tab.loseChannel() },
  ...CUTS.map((what): Fault => ({
    perSecond: 0.15,
    inject: ({ network }, tab) => {
      tab.cut(what, network.chance(0.5));
      void tab.scheduler.wait(network.between(500, 6_000)).then(() => tab.mend());
    },
  })),
  {
    perSecond: 0.1,
    inject: ({ network }, tab) => {
      tab.expireToken();
      void tab.scheduler.wait(network.between(500, 5_000)).then(() => void (tab.isTokenExpired = false));
    },
  },
  {
    perSecond: 0.1,
    inject: ({ network }, tab) => {
      tab.isThrottled = true;
      void tab.scheduler.wait(network.between(300, 3_000)).then(() => void (tab.isThrottled = false));
    },
  },
  {
    perSecond: 0.3,
    inject: ({ network }, tab) => {
      tab.setVisibility('hidden');
      void tab.scheduler.wait(network.between(100, 4_000)).then(() => tab.setVisibility('visible'));
    },
  },
  {
    perSecond: 0.15,
    inject: ({ network }, tab) => {
      tab.freeze(network.chance(0.5));
      void tab.scheduler.wait(network.between(300, 8_000)).then(() => tab.thaw());
    },
  },
  { perSecond: 0.25, inject: (_world, tab) => tab.kill() },
  { perSecond: 0.35, inject: (simulation, tab) => simulation.openTab(tab.device) },
  {
    perSecond: 0.08,
    inject: ({ network }, tab) => {
      tab.device.store.setBroken(true);
      void tab.scheduler.wait(network.between(200, 4_000)).then(() => tab.device.store.setBroken(false));
    },
  },
  { perSecond: 0.04, inject: (simulation) => simulation.moveTopic() },
  { perSecond: 0.06, inject: (simulation, tab) => simulation.takeRole(tab.device.user, null) },
  { perSecond: 0.06, inject: (simulation, tab) => simulation.takeRole(tab.device.user, 'viewer') },
  { perSecond: 0.25, inject: (simulation, tab) => simulation.restoreRole(tab.device.user) },
  { perSecond: 0.02, inject: (simulation) => simulation.revokeLink() },
  { perSecond: 0.02, inject: (simulation) => simulation.corruptLog() },
  { perSecond: 0.08, inject: ({ checker }) => checker.plantSnapshot() },
  { perSecond: 0.1, inject: (_world, tab) => tab.session.retry() },
];

/** Injects some of the faults, in proportion to the time that passed. */
export function injectFaults(simulation: Simulation, passedMs: number): void {
  for (const { perSecond, inject } of FAULTS) {
    if (!simulation.network.fails((perSecond * passedMs) / 1000)) continue;
    const living = simulation.tabs.filter((tab) => !tab.isDead);
    const tab = living[Math.floor(simulation.network.random() * living.length)];
    if (tab !== undefined) inject(simulation, tab);
  }
}
