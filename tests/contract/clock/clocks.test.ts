import { browserClock } from 'weft-sync/browser/clock.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { pause } from '../contract-fixture.ts';
import { clockContract } from './clock.contract.ts';

clockContract('simulated', () => {
  const clock = new SimClock();
  return { clock, pass: (ms) => clock.run(ms) };
});
clockContract('Node’s', () => ({ clock: browserClock, pass: pause }));
