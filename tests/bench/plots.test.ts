// Draws pictures from small results, of today and of the time before the results had p5, p25 and p75.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drawPictures } from '../../bench/plots/pictures.ts';

const MACHINE = {
  date: '2026-11-30T10:00:00.000Z',
  cpu: '2 × A & B <C>',
  memoryGiB: 24,
  node: 'v24.21.0',
  load: 0.5,
};
const OLD = { count: 60, p50: 2, p95: 4, p99: 8, max: 9 };
const NEW = { count: 60, p5: 1, p25: 1.5, p50: 2, p75: 3, p95: 4, p99: 8, max: 9 };
const EMPTY = { count: 0, p5: null, p25: null, p50: null, p75: null, p95: null, p99: null, max: null };
const CASE = '2 people, 1 types, 300 ms';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'weft-plots-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function draw(name: string, figures: unknown, picture = name) {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ machine: MACHINE, figures }));
  expect(await drawPictures(folder, folder)).toEqual([join(folder, `${picture}.svg`)]);
  const svg = readFileSync(join(folder, `${picture}.svg`), 'utf8');
  const { documentElement } = new new Window().DOMParser().parseFromString(svg, 'image/svg+xml');
  expect(documentElement.querySelector('parsererror')).toBeNull();
  // Each number of a drawing is a number.
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  return documentElement;
}
const textsOf = (svg: Awaited<ReturnType<typeof draw>>) =>
  Array.from(svg.querySelectorAll('text'), ({ textContent }) => textContent);

test.each([
  ['before p5, p25 and p75', OLD],
  ['with p5, p25 and p75', NEW],
])('latencies are rows with their median, %s', async (_, spread) => {
  const samples = { [CASE]: spread, [`${CASE}: sender`]: NEW };
  const svg = await draw('sync', { weft: { samples, values: {} }, hocuspocus: { samples, values: {} } }, 'latency');
  expect(textsOf(svg)).toEqual(
    expect.arrayContaining(['2 people, one types, 300 ms between keys', 'Weft', 'Hocuspocus', '2.0']),
  );
  expect(textsOf(svg).filter((text) => text === 'Weft')).toHaveLength(1);
  expect(svg.querySelectorAll('.median')).toHaveLength(2);
});

test('a system without a figure says so', async () => {
  const weft = { samples: { [CASE]: NEW }, values: {} };
  const svg = await draw('sync', { weft, 'y-websocket': { samples: { [CASE]: EMPTY }, values: {} } }, 'latency');
  expect(textsOf(svg)).toContain('–');
  expect(svg.querySelector('desc')?.textContent).toContain('y-websocket – and –');
});

test('times to catch up are lines over the edits, with the name at the end', async () => {
  const values = { '1': 55, '100': 40, '10000': 184, '1: bytes': 6_872 };
  const svg = await draw('catch-up', { weft: { samples: {}, values }, 'y-websocket': { samples: {}, values } });
  expect(Array.from(svg.querySelectorAll('polyline'), (one) => one.getAttribute('points')?.split(' '))).toEqual([
    expect.toSatisfy((points: string[]) => points.length === 3),
    expect.toSatisfy((points: string[]) => points.length === 3),
  ]);
  expect(textsOf(svg)).toEqual(expect.arrayContaining(['Weft', 'y-websocket', '10,000']));
});

test('messages have a panel for each number of writers, and may be 0', async () => {
  const values = { '1 × 0': 0, '1 × 10': 11, '3 × 0': 45, '3 × 10': 56 };
  const svg = await draw('messages', { weft: { samples: {}, values } });
  expect(textsOf(svg)).toEqual(expect.arrayContaining(['1 person types', '3 people type']));
  expect(svg.querySelectorAll('polyline')).toHaveLength(2);
});

test('a picture has a text alternative, the colors of a dark page, and the machine as it is called', async () => {
  const svg = await draw('catch-up', { weft: { samples: {}, values: { '1': 55, '100': 40 } } });
  expect(svg.getAttribute('role')).toBe('img');
  expect(svg.querySelector('title')?.textContent).toBe('Catching up after offline edits');
  expect(svg.querySelector('desc')?.textContent).toContain('Weft 55 at 1, 40 at 100 edits');
  expect(svg.querySelector('style')?.textContent).toContain('prefers-color-scheme: dark');
  expect(textsOf(svg).at(-1)).toBe('2 × A & B <C>, 24 GiB, Node 24.21.0, load 0.5, 2026-11-30');
});

test('what was not measured is not drawn', async () => {
  expect(await drawPictures(folder, folder)).toEqual([]);
  expect(existsSync(join(folder, 'latency.svg'))).toBe(false);
});
