// Everything that goes wrong in a simulated world, and how often per second in usual weather.
import type { SimTab } from './sim-tab.ts';
import type { SimWorld } from './simulation.ts';

type Trouble = { readonly perSecond: number; readonly befall: (world: SimWorld, tab: SimTab) => void };

const CUTS = ['everything', 'Realtime', 'HTTP'] as const;

const TROUBLES: readonly Trouble[] = [
  { perSecond: 0.25, befall: (_world, tab) => tab.loseChannel() },
  ...CUTS.map((what): Trouble => ({
    perSecond: 0.15,
    befall: ({ network }, tab) => {
      tab.cut(what, network.chance(0.5));
      void tab.gate.wait(network.between(500, 6_000)).then(() => tab.mend());
    },
  })),
  {
    perSecond: 0.1,
    befall: ({ network }, tab) => {
      tab.expireToken();
      void tab.gate.wait(network.between(500, 5_000)).then(() => void (tab.isTokenExpired = false));
    },
  },
  {
    perSecond: 0.1,
    befall: ({ network }, tab) => {
      tab.isThrottled = true;
      void tab.gate.wait(network.between(300, 3_000)).then(() => void (tab.isThrottled = false));
    },
  },
  {
    perSecond: 0.3,
    befall: ({ network }, tab) => {
      tab.say('hidden');
      void tab.gate.wait(network.between(100, 4_000)).then(() => tab.say('visible'));
    },
  },
  {
    perSecond: 0.15,
    befall: ({ network }, tab) => {
      tab.freeze(network.chance(0.5));
      void tab.gate.wait(network.between(300, 8_000)).then(() => tab.thaw());
    },
  },
  { perSecond: 0.25, befall: (_world, tab) => tab.kill() },
  { perSecond: 0.35, befall: (world, tab) => world.openTab(tab.device) },
  {
    perSecond: 0.08,
    befall: ({ network }, tab) => {
      tab.device.store.setBroken(true);
      void tab.gate.wait(network.between(200, 4_000)).then(() => tab.device.store.setBroken(false));
    },
  },
  { perSecond: 0.04, befall: (world) => world.moveTopic() },
  { perSecond: 0.06, befall: (world, tab) => world.takeRole(tab.device.user, null) },
  { perSecond: 0.06, befall: (world, tab) => world.takeRole(tab.device.user, 'viewer') },
  { perSecond: 0.25, befall: (world, tab) => world.restoreRole(tab.device.user) },
  { perSecond: 0.02, befall: (world) => world.revokeLink() },
  { perSecond: 0.02, befall: (world) => world.vandalize() },
  { perSecond: 0.08, befall: ({ witness }) => witness.plantSnapshot() },
  { perSecond: 0.1, befall: (_world, tab) => tab.session.retry() },
];

/** Lets some of it happen, as fits to the time that passed. */
export function befall(world: SimWorld, passedMs: number): void {
  for (const { perSecond, befall: strike } of TROUBLES) {
    if (!world.network.fails((perSecond * passedMs) / 1000)) continue;
    const living = world.tabs.filter((tab) => !tab.isDead);
    const tab = living[Math.floor(world.network.random() * living.length)];
    if (tab !== undefined) strike(world, tab);
  }
}
