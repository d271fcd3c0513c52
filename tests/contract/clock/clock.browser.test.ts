import { browserClock } from 'weft-sync/browser/clock.ts';
import { pause } from '../contract-fixture.ts';
import { clockContract } from './clock.contract.ts';

clockContract('a browser’s', () => ({ clock: browserClock, pass: pause }));
