import { browserClock } from 'weft-sync/browser/clock.ts';
import { memoryCrossTabEvents } from '../../support/app/memory-cross-tab-events.ts';
import { crossTabEventsContract } from './cross-tab-events.contract.ts';

crossTabEventsContract('memory', () => {
  const events = memoryCrossTabEvents(browserClock);
  return () => events;
});
