// Runs every benchmark once and small, so that the benchmarks work when their figures are needed. The figures here mean nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BENCHMARKS } from '../../bench/benchmarks.ts';
import { ROOT } from '../../scripts/root.mjs';

const out = mkdtempSync(join(tmpdir(), 'weft-bench-smoke-'));
let output = '';
beforeAll(() => {
  const run = spawnSync(process.execPath, [join(ROOT, 'bench/run.ts'), '--quick', '--out', out], {
    encoding: 'utf8',
    // It blocks this thread, so vitest could not end it.
    timeout: 280_000,
  });
  output = run.stdout + run.stderr;
  if (run.status !== 0) throw new Error(output);
}, 300_000);
afterAll(() => rmSync(out, { recursive: true, force: true }));

const resultOf = (name: string) => JSON.parse(readFileSync(join(out, `${name}.json`), 'utf8'));

test.each(Object.entries(BENCHMARKS))('%s has figures for every one of its systems', (name, { systems }) => {
  const { figures, goals } = resultOf(name);
  expect(Object.keys(figures).toSorted()).toEqual(systems.toSorted());
  expect(goals.length).toBeGreaterThan(0);
  const empty = systems.filter((system) => {
    const { samples, values } = figures[system];
    const summaries = Object.values<{ count: number; p95: number | null }>(samples);
    const found = [...summaries.map(({ count, p95 }) => (count === 0 ? 0 : p95)), ...Object.values(values)];
    // JSON has no NaN: a figure that was not measured is null.
    return found.length === 0 || found.includes(null);
  });
  expect(empty).toEqual([]);
});

test('everything typed arrives, in every system', () => {
  const all = Object.entries<{ values: Record<string, number> }>(resultOf('sync').figures);
  const missing = all.flatMap(([system, { values }]) =>
    Object.entries(values)
      .filter(([what, count]) => what.endsWith(': missing') && count > 0)
      .map(([what]) => [system, what]),
  );
  expect(missing).toEqual([]);
  expect(resultOf('watch').figures.weft.values).toMatchObject({ gaps: 0, missingKeys: 0, equal: 10 });
});

test('the results name versions, machine and date, and the goals are printed', () => {
  const { machine } = resultOf('sync');
  expect(machine).toMatchObject({
    node: process.version,
    versions: { yjs: '13.6.33', 'y-websocket-server-1': '1.5.4' },
  });
  expect(Date.parse(machine.date)).toBeGreaterThan(0);
  expect(output).toMatch(/^(?:ok |NOT) alone: live messages: 0 {3}\[goal 0\]$/m);
});
