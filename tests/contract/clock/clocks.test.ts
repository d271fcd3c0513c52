import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { browserClock } from 'weft-sync/browser/clock.ts';
import { clockContract } from './clock.contract.ts';
import { pause } from '../contract-fixture.ts';

clockContract('simulated', () => {
  const clock = new SimClock();
  return { clock, pass: (ms) => clock.run(ms) };
});
clockContract('Node’s', () => ({ clock: browserClock, pass: pause }));
