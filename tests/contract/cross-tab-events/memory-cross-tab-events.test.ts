import { browserClock } from '../../../src/platform/browser/clock.ts';
import { memoryCrossTabEvents } from '../../memory/memory-cross-tab-events.ts';
import { crossTabEventsContract } from './cross-tab-events.contract.ts';

crossTabEventsContract('memory', () => {
  const events = memoryCrossTabEvents(browserClock);
  return () => events;
});
