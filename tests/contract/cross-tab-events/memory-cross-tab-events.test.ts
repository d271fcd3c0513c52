import { browserClock } from '../../../src/platform/browser/clock.ts';
import { memoryCrossTabEvents } from '../../memory/memory-cross-tab-events.ts';
import { deviceNewsContract } from './cross-tab-events.contract.ts';

deviceNewsContract('memory', () => {
  const news = memoryCrossTabEvents(browserClock);
  return () => news;
});
