// Asks the link's origin for /config.json, which names the Supabase project and its public key.
import * as v from 'valibot';
import { backoffMs } from '../lib/async/backoff.ts';
import { parseJsonOrNull } from '../lib/parse-or-null.ts';
import type { ProjectAddress } from '../platform/supabase/client.ts';
import { WatchError } from './watch-error.ts';

const ANSWER_WITHIN_MS = 10_000;
const MAX_CONFIG_LENGTH = 64 * 1024;

const configFile = v.object({ url: v.string(), anonKey: v.pipe(v.string(), v.nonEmpty()) });

/**
 * Tries again after no answer, a 429 or a 5xx, until `signal` aborts; `onFailure` gets the reason. Throws a
 * `WatchError`: `unreachable` after the abort, `badLink` for any other answer that is not Weft's.
 */
export async function findProject(
  origin: string,
  signal: AbortSignal,
  onFailure: (reason: string) => void,
): Promise<ProjectAddress> {
  for (let failures = 1; ; failures++) {
    const answer = await ask(origin, signal);
    if (!('retry' in answer)) return answer;
    if (signal.aborted) throw new WatchError('unreachable', answer.retry);
    onFailure(answer.retry);
    await pause(backoffMs(failures, Math.random()), signal);
  }
}

async function ask(origin: string, signal: AbortSignal): Promise<ProjectAddress | { readonly retry: string }> {
  let text: string;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    const response = await fetch(`${origin}/config.json`, { signal: limit });
    if (response.status >= 500 || response.status === 429) return { retry: `${origin} answered ${response.status}` };
    if (!response.ok) throw new WatchError('badLink', `${origin}/config.json answered ${response.status}`);
    text = await response.text();
  } catch (error) {
    if (error instanceof WatchError) throw error;
    return { retry: reasonOf(error) };
  }
  const config = text.length > MAX_CONFIG_LENGTH ? null : parseJsonOrNull(configFile, text);
  const url = config?.url === '' ? origin : (config?.url ?? '');
  if (config === null || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new WatchError('badLink', `${origin} is not Weft`);
  }
  return { url: url.replace(/\/+$/, ''), anonKey: config.anonKey };
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
