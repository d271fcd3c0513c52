// Posts each change of a page to a webhook, at least once: node examples/post-changes.ts LINK URL STATE-FILE
// A change counts as delivered when the webhook answers 2xx. The receiver tells a repetition by its `seq`.
import { readFile, rename, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type PageChange, type WatchPosition, parsePosition, watch } from 'weft-client';

const [link, url, stateFile] = process.argv.slice(2);
if (link === undefined || url === undefined || stateFile === undefined) {
  throw new Error('usage: node examples/post-changes.ts LINK URL STATE-FILE');
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

const since = await stored(stateFile);
const page = watch(link, { signal: stop.signal, ...(since === null ? {} : { since }) });
await page.ready();
await store(stateFile);
for await (const change of page) {
  if (!(await deliver(url, change))) break;
  await store(stateFile);
}

/** Repeats until the webhook takes it. False if the script was stopped before. */
async function deliver(target: string, change: PageChange): Promise<boolean> {
  for (let waitMs = 500; !stop.signal.aborted; waitMs = Math.min(2 * waitMs, 60_000)) {
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': String(change.seq) },
        body: JSON.stringify(change),
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]),
      });
      if (response.ok) return true;
    } catch {
      // The network or the webhook is away.
    }
    await pause(waitMs, undefined, { signal: stop.signal }).catch(() => {});
  }
  return false;
}

async function store(file: string): Promise<void> {
  await writeFile(`${file}.part`, JSON.stringify(page.position()));
  await rename(`${file}.part`, file);
}

async function stored(file: string): Promise<WatchPosition | null> {
  try {
    return parsePosition(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}
