import { createClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenSocketOpen } from 'weft-sync/supabase/realtime/realtime-socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a connection that never opens is given up after 10 seconds, also if the device’s clock is set back', async () => {
  const opened: string[] = [];
  class SilentSocket {
    readonly readyState = 0;
    onclose: (() => void) | null = null;
    constructor(url: string) {
      opened.push(url);
    }
    close() {
      this.onclose?.();
    }
  }
  const client = createClient('http://localhost', 'key', { realtime: { transport: SilentSocket as never } });
  const stop = whenSocketOpen(client, () => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(opened).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(opened).toHaveLength(2);
  stop();
});
