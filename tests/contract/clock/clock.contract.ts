// The contract of every Clock, whether its time is simulated or real.
import { expect, test } from 'vitest';
import type { Clock } from 'weft-sync/ports.ts';

export type Timepiece = { readonly clock: Clock; pass(ms: number): Promise<void> };

export function clockContract(name: string, make: () => Timepiece): void {
  test(`[CL1] ${name}: jobs run in order of their times, and at the same time in the order they were scheduled`, async () => {
    const { clock, pass } = make();
    const ran: string[] = [];
    clock.after(60, () => ran.push('c'));
    clock.after(20, () => ran.push('a'));
    clock.after(60, () => ran.push('d'));
    clock.after(40, () => ran.push('b'));
    expect(ran).toEqual([]);
    await pass(200);
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
  });

  test(`[CL1] ${name}: no job runs before its time, or within the call that schedules it`, async () => {
    const { clock, pass } = make();
    const asked = clock.now();
    const ran: number[] = [];
    let isAsking = true;
    for (const ms of [0, -5, 30]) {
      clock.after(ms, () => {
        expect(isAsking).toBe(false);
        ran.push(clock.now() - asked);
      });
    }
    isAsking = false;
    await pass(150);
    expect(ran.length).toBe(3);
    // Browsers round timers and the clock to milliseconds, each separately.
    expect(ran[2]).toBeGreaterThanOrEqual(29);
  });

  test(`[CL1] ${name}: a cancelled job never runs, and cancelling twice does no harm`, async () => {
    const { clock, pass } = make();
    const ran: string[] = [];
    const cancel = clock.after(10, () => ran.push('cancelled'));
    cancel();
    cancel();
    const later = clock.after(40, () => ran.push('cancelled by a job'));
    clock.after(20, () => {
      ran.push('job');
      later();
      clock.after(20, () => ran.push('asked for by a job'));
    });
    await pass(150);
    expect(ran).toEqual(['job', 'asked for by a job']);
    cancel();
    later();
  });

  test(`[CL1] ${name}: time advances while a job waits, and is in milliseconds since 1970`, async () => {
    const { clock, pass } = make();
    const before = clock.now();
    await pass(50);
    expect(clock.now() - before).toBeGreaterThanOrEqual(49);
    expect(new Date(before).getUTCFullYear()).toBeGreaterThanOrEqual(2025);
    expect(Number.isInteger(before)).toBe(true);
  });
}
