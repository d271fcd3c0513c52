// Everything that goes wrong in a simulated world, and how often per second at the usual rate.
import type { SimTab } from '../world/sim-tab.ts';
import type { SimWorld } from '../world/sim-world.ts';
import { appendCorruptRow } from './corrupting-app.ts';

type Fault = {
  readonly perSecond: number;
  /** Happens four times as often in harsh worlds. */
  readonly isHarsh?: true;
  readonly inject: (world: SimWorld, tab: SimTab) => void;
};

/** A tab loses one of these connections. */
const CUTS = ['everything', 'Realtime', 'HTTP'] as const;

const FAULTS: readonly Fault[] = [
  { perSecond: 0.25, inject: (_world, tab) => tab.loseChannel() },
  ...CUTS.map((what): Fault => ({
    perSecond: 0.15,
    inject: ({ network }, tab) => {
      tab.cut(what, network.chance(0.5));
      void tab.scheduler.wait(network.between(500, 6_000)).then(() => tab.reconnect());
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
  { perSecond: 0.35, inject: (world, tab) => world.openTabIfRoom(tab.device) },
  {
    perSecond: 0.08,
    isHarsh: true,
    inject: ({ network }, { scheduler, device: { store } }) => {
      store.setBroken(true);
      void scheduler.wait(network.between(200, 4_000)).then(() => store.setBroken(false));
    },
  },
  {
    perSecond: 0.02,
    inject: (world) => {
      world.stopServer();
      void world.clock.after(world.network.between(500, 5_000), () => world.startServer());
    },
  },
  { perSecond: 0.04, inject: (world) => world.moveTopic() },
  { perSecond: 0.06, inject: (world, tab) => world.lowerRole(tab.device.user, null) },
  { perSecond: 0.06, inject: (world, tab) => world.lowerRole(tab.device.user, 'viewer') },
  { perSecond: 0.25, inject: (world, tab) => world.restoreRole(tab.device.user) },
  { perSecond: 0.03, inject: (world) => world.revokeLink() },
  {
    perSecond: 0.03,
    inject: ({ checker, coverage, network }) => {
      coverage.count('damaged row');
      void appendCorruptRow(checker, network.random);
    },
  },
  { perSecond: 0.08, inject: ({ checker }) => checker.plantSnapshot() },
  { perSecond: 0.1, inject: (world) => world.manager.compact() },
  {
    perSecond: 0.1,
    isHarsh: true,
    inject: (world) => {
      if (world.erases) void world.manager.eraseSome();
    },
  },
  {
    perSecond: 0.08,
    inject: (world) => {
      if (world.options.goesBack === true) world.goBack();
    },
  },
  { perSecond: 0.1, inject: (_world, tab) => tab.session.retry() },
];

/** Injects each fault with its probability for this stretch of time, into a tab chosen at random. */
export function injectFaults(world: SimWorld, passedMs: number): void {
  for (const { perSecond, isHarsh, inject } of FAULTS) {
    const times = isHarsh === true && world.options.isHarsh === true ? 4 : 1;
    if (!world.network.fails((times * perSecond * passedMs) / 1000)) continue;
    const alive = world.tabs.filter((tab) => !tab.isDead);
    const tab = alive[Math.floor(world.network.random() * alive.length)];
    if (tab !== undefined) inject(world, tab);
  }
}
