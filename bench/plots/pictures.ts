// Draws the results as SVG. What has one size only, or a few figures, is a table in bench/results.md.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catchUpPicture } from './catch-up.ts';
import { latencyPicture } from './latency.ts';
import { messagesPicture } from './messages.ts';
import { type Result, readResult } from './result.ts';

const PICTURES: { readonly [name: string]: { readonly of: string; readonly draw: (result: Result) => string } } = {
  latency: { of: 'sync', draw: latencyPicture },
  'catch-up': { of: 'catch-up', draw: catchUpPicture },
  messages: { of: 'messages', draw: messagesPicture },
};

/** Returns the files that it wrote. */
export async function drawPictures(results: string, folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const written: string[] = [];
  for (const [name, { of, draw }] of Object.entries(PICTURES)) {
    const result = readResult(results, of);
    if (result === null) continue;
    const file = join(folder, `${name}.svg`);
    await writeFile(file, draw(result));
    written.push(file);
  }
  return written;
}
