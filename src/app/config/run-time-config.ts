// Reads /config.json, which names the Supabase project. It is read at run time, so that one build serves every project.
import * as v from 'valibot';
import { type Result, err, ok } from '../../lib/result.ts';
import { EMBEDDED_MESSAGES_PER_SECOND } from '../../protocol/limits.ts';
import { DEFAULT_DEVICE_BYTES } from '../../state/offline/evict-documents.ts';

const MEGABYTE = 1_000_000;
/** Messages per second of Supabase's free plan. */
const DEFAULT_LIVE_BUDGET = 100;

export type RunTimeConfig = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly anonKey: string;
  /** The backend is Weft's embedded one, on this origin. */
  readonly isEmbedded: boolean;
  readonly allowsGuests: boolean;
  /** The most bytes that one person's pages may take on a device. */
  readonly deviceBytes: number;
  /** The messages per second that the project's Realtime allows, all pages together. */
  readonly liveBudget: number;
  /** The address of a module on this origin that gets errors; null if no one does. */
  readonly onError: string | null;
};

/** `why` is shown on the screen, for the person who sets Weft up. */
export type ConfigProblem = { readonly kind: 'missing' | 'wrong' | 'unreachable'; readonly why: string };

/** A path, and not `//other.example`. */
const OWN_PATH = /^\/(?![/\\])/;

const configFile = v.object({
  url: v.string(),
  anonKey: v.pipe(v.string(), v.nonEmpty()),
  embedded: v.optional(v.boolean(), false),
  guests: v.optional(v.boolean(), false),
  liveBudget: v.optional(v.pipe(v.number(), v.minValue(1))),
  deviceMegabytes: v.optional(v.pipe(v.number(), v.minValue(0)), DEFAULT_DEVICE_BYTES / MEGABYTE),
  onError: v.optional(v.string()),
});

/** The error message for a wrong value of each key. */
const EXPECTED: { readonly [key: string]: string } = {
  url: '“url” is the address of the Supabase project, or "" for the origin of this page',
  anonKey: '“anonKey” is the project’s public key',
  embedded: '“embedded” is true or false',
  guests: '“guests” is true or false',
  liveBudget: '“liveBudget” is how many Realtime messages per second the project’s plan allows, 100 when left out',
  deviceMegabytes: '“deviceMegabytes” is how much a person’s pages may take on a device, 200 when left out',
  onError: '“onError” is a path on this site, like "/on-error.js"',
};

export function parseConfig(text: string, origin: string): Result<RunTimeConfig, ConfigProblem> {
  const wrong = (why: string) => err<ConfigProblem>({ kind: 'wrong', why });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Static hosts that answer every address with index.html do so for a missing file too.
    return text.trimStart().startsWith('<')
      ? err({ kind: 'missing', why: 'The host answers /config.json with a page.' })
      : wrong('It isn’t JSON.');
  }
  const parsed = v.safeParse(configFile, json);
  if (!parsed.success) return wrong(`${EXPECTED[v.getDotPath(parsed.issues[0]) ?? ''] ?? 'It isn’t a JSON object'}.`);
  const { url, anonKey, embedded, guests, deviceMegabytes, liveBudget, onError } = parsed.output;
  const address = url === '' ? origin : url;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return wrong(`“url” is not an address: ${address}`);
  }
  if (onError !== undefined && !OWN_PATH.test(onError)) return wrong(`${EXPECTED['onError']}.`);
  return ok({
    url: address.replace(/\/+$/, ''),
    anonKey,
    isEmbedded: embedded,
    liveBudget: liveBudget ?? (embedded ? EMBEDDED_MESSAGES_PER_SECOND : DEFAULT_LIVE_BUDGET),
    allowsGuests: guests,
    deviceBytes: deviceMegabytes * MEGABYTE,
    onError: onError ?? null,
  });
}

/** `answer` is that of /config.json; offline, the service worker gives it from its cache. */
export async function loadConfig(
  answer: Promise<Response>,
  origin: string,
): Promise<Result<RunTimeConfig, ConfigProblem>> {
  try {
    const response = await answer;
    if (response.status === 404) return err({ kind: 'missing', why: 'The host has no /config.json.' });
    if (!response.ok) return err({ kind: 'unreachable', why: `/config.json answered ${response.status}.` });
    return parseConfig(await response.text(), origin);
  } catch (error) {
    return err({ kind: 'unreachable', why: String(error) });
  }
}
