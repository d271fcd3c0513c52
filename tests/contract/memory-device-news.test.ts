import { browserClock } from '../../src/platform/browser/clock.ts';
import { memoryDeviceNews } from '../../src/platform/memory/memory-device-news.ts';
import { deviceNewsContract } from './device-news.contract.ts';

deviceNewsContract('memory', () => {
  const news = memoryDeviceNews(browserClock);
  return () => news;
});
