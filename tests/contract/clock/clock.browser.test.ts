import { browserClock } from 'weft-sync/browser/clock.ts';
import { clockContract } from './clock.contract.ts';
import { pause } from '../contract-fixture.ts';

clockContract('a browser’s', () => ({ clock: browserClock, pass: pause }));
