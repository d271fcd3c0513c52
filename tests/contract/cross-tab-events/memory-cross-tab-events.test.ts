import { browserClock } from '../../../src/platform/browser/clock.ts';
import { memoryDeviceNews } from '../../memory/memory-cross-tab-events.ts';
import { deviceNewsContract } from './cross-tab-events.contract.ts';

deviceNewsContract('memory', () => {
  const news = memoryDeviceNews(browserClock);
  return () => news;
});
