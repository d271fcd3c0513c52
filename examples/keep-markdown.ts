// Keeps a Markdown file up to date with a page: node examples/keep-markdown.ts LINK FILE
// The file is replaced as a whole, so a reader finds one version or the next.
import { rename, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { watch } from 'weft-client';

const [link, file] = process.argv.slice(2);
if (link === undefined || file === undefined) throw new Error('usage: node examples/keep-markdown.ts LINK FILE');

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

const page = watch(link, { signal: stop.signal });

async function write(target: string): Promise<number> {
  const { seq, markdown } = await page.markdown();
  await writeFile(`${target}.part`, markdown);
  await rename(`${target}.part`, target);
  return seq;
}

let written = await write(file);
for await (const change of page) {
  // One file stands for all changes that arrived together.
  if (change.seq > written) written = await write(file);
}
