// Checks from outside, with the public key, whether a Supabase project is fit for Weft. It changes nothing: calls that
// would are refused for want of a right, and the refusal says what is there. Only `session` may create a guest. `npm
// run doctor` and `/status` share it.
import * as v from 'valibot';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { Result } from '../../../lib/result.ts';
import { DATABASE_FUNCTIONS } from '../../../protocol/database-functions.ts';
import { personTopic } from '../../../protocol/topics.ts';
import {
  ACCOUNTS,
  ADDRESS,
  CLOCK,
  FILES,
  type Finding,
  GUESTS,
  LIMITS,
  LINKS,
  MIGRATIONS,
  PRIVATE_CHANNELS,
  REALTIME,
  SCHEMAS,
  TITLES,
  noAnswer,
} from '../../../texts/project-findings.ts';
import type { ProjectAddress } from '../client.ts';
import { type OpenSocket, tryChannel } from './realtime-probe.ts';

/** A slower answer counts as none. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Beyond that access tokens are refused: Auth and PostgREST forgive 30 s. */
const MAX_CLOCK_DIFFERENCE_S = 30;
/** Above it a conversation in text feels delayed. */
const SLOW_ROUND_TRIP_MS = 500;
/** Calls at the same time, so that a check looks like no attack. */
const PARALLEL_CALLS = 4;
/** Names nothing that exists. */
const PROBE = 'weft-doctor';

export type InspectedSite = {
  /** The address at which people open the app, such as "https://weft.example". */
  readonly origin: string;
  /** The content of its config.json. */
  readonly allowsGuests: boolean;
  readonly liveBudget: number;
  readonly isEmbedded: boolean;
};

export type InspectedSession = { readonly token: string; readonly user: UserId };

export type Inspection = {
  readonly project: ProjectAddress;
  /** Null if only the project is known. */
  readonly site: InspectedSite | null;
  /**
   * Someone who is signed in: on `/status` the person there, for the doctor a new guest. The error says why there is no
   * one.
   */
  readonly session: () => Promise<Result<InspectedSession, string>>;
  readonly fetch: typeof fetch;
  readonly openSocket: OpenSocket;
  /** Unix time in milliseconds. */
  readonly now: () => number;
};

const settingsSchema = v.object({
  external: v.object({ anonymous_users: v.optional(v.boolean(), false), email: v.optional(v.boolean(), true) }),
  disable_signup: v.optional(v.boolean(), false),
  mailer_autoconfirm: v.optional(v.boolean(), false),
});
type Settings = v.InferOutput<typeof settingsSchema>;

export async function inspectProject(inspection: Inspection): Promise<readonly Finding[]> {
  const { finding, settings } = await inspectAddress(inspection);
  if (settings === null) return [finding];
  const checks: readonly (readonly [title: string, run: () => Promise<Finding | readonly Finding[]>])[] = [
    [TITLES.clock, () => inspectClock(inspection)],
    [TITLES.migrations, () => inspectMigrations(inspection)],
    [TITLES.schemas, () => inspectSchemas(inspection)],
    [TITLES.accounts, async () => inspectAccounts(settings, inspection.site)],
    [TITLES.links, () => inspectLinks(inspection)],
    [TITLES.privateChannels, () => inspectPrivateChannels(inspection)],
    [TITLES.realtime, () => inspectGuestsAndRealtime(inspection, settings)],
    [TITLES.limits, async () => inspectLimits(inspection.site)],
    [TITLES.files, () => inspectFiles(inspection)],
  ];
  const found = await Promise.all(
    checks.map(([title, run]) => run().catch((error: unknown) => noAnswer(title, reasonOf(error)))),
  );
  return [finding, ...found.flat()];
}

type Ask = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A request with the public key alone. */
async function ask({ project, fetch }: Inspection, path: string, init: Ask = {}): Promise<Response> {
  const headers = { apikey: project.anonKey, 'content-type': 'application/json', ...init.headers };
  return fetch(project.url + path, { ...init, headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}

async function inspectAddress(
  inspection: Inspection,
): Promise<{ readonly finding: Finding; readonly settings: Settings | null }> {
  const { url } = inspection.project;
  const silent = (why: string) => ({ finding: ADDRESS.silent(url, why), settings: null });
  try {
    const response = await ask(inspection, '/auth/v1/settings');
    if (response.status === 401 || response.status === 403) return { finding: ADDRESS.wrongKey, settings: null };
    if (!response.ok) return silent(`status ${response.status}`);
    const settings = parseOrNull(settingsSchema, await jsonOf(response));
    return settings === null ? silent('this is no Supabase project') : { finding: ADDRESS.right(url), settings };
  } catch (error) {
    return silent(reasonOf(error));
  }
}

async function inspectClock(inspection: Inspection): Promise<Finding> {
  const startedAt = inspection.now();
  const response = await callFunction(inspection, 'open_watch');
  await response.body?.cancel();
  const serverTime = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(serverTime)) return noAnswer(TITLES.clock, 'the answer has no time');
  // The header counts whole seconds: its middle is half a second later.
  const seconds = Math.round(Math.abs((startedAt + inspection.now()) / 2 - (serverTime + 500)) / 1000);
  return seconds > MAX_CLOCK_DIFFERENCE_S ? CLOCK.wrong(seconds) : CLOCK.right(seconds);
}

/** Nulls, without a user: no function does anything then, but the API finds it only under its newest arguments. */
const callFunction = (inspection: Inspection, name: string): Promise<Response> => {
  const names = DATABASE_FUNCTIONS[name] ?? [];
  const body = JSON.stringify(Object.fromEntries(names.map((argument) => [argument, null])));
  return ask(inspection, `/rest/v1/rpc/${name}`, { method: 'POST', body });
};

async function inspectMigrations(inspection: Inspection): Promise<Finding> {
  const waiting = Object.keys(DATABASE_FUNCTIONS);
  const count = waiting.length;
  const missing: string[] = [];
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if ((await codeOf(await callFunction(inspection, name))) === 'PGRST202') missing.push(name);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_CALLS }, work));
  return missing.length === 0 ? MIGRATIONS.applied(count) : MIGRATIONS.missing(missing.toSorted());
}

async function inspectSchemas(inspection: Inspection): Promise<Finding> {
  const response = await ask(inspection, `/rest/v1/${PROBE}?limit=1`, { headers: { 'accept-profile': 'weft' } });
  return (await codeOf(response)) === 'PGRST106' ? SCHEMAS.right : SCHEMAS.open;
}

function inspectAccounts({ disable_signup, external, mailer_autoconfirm }: Settings, site: InspectedSite | null) {
  if (disable_signup || !external.email) return ACCOUNTS.closed;
  if (site?.isEmbedded === true) return ACCOUNTS.embedded;
  return mailer_autoconfirm ? ACCOUNTS.unconfirmed : ACCOUNTS.confirmed;
}

/** A link that works for no one: the answer says where it would have led. */
async function inspectLinks(inspection: Inspection): Promise<Finding> {
  const { project, site } = inspection;
  const link = new URL(`${project.url}/auth/v1/verify`);
  link.searchParams.set('token', PROBE);
  link.searchParams.set('type', 'magiclink');
  if (site !== null) link.searchParams.set('redirect_to', `${site.origin}/auth/callback`);
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await inspection.fetch(link, { redirect: 'manual', signal });
  if (response.type === 'opaqueredirect') return LINKS.unseen;
  const target = URL.parse(response.headers.get('location') ?? '');
  if (target === null) return noAnswer(TITLES.links, `status ${response.status}`);
  if (site === null) return LINKS.withoutSite(target.origin);
  const isRight = target.origin === site.origin && target.pathname === '/auth/callback';
  return isRight ? LINKS.right(site.origin) : LINKS.wrong(site.origin, target.origin + target.pathname);
}

async function inspectPrivateChannels({ project, openSocket }: Inspection): Promise<Finding> {
  const joined = await tryChannel(project, { topic: PROBE, isPrivate: false, token: null }, openSocket);
  if (joined.isJoined) return PRIVATE_CHANNELS.open;
  return /private/i.test(joined.reason) ? PRIVATE_CHANNELS.right : noAnswer(TITLES.privateChannels, joined.reason);
}

async function inspectGuestsAndRealtime(inspection: Inspection, settings: Settings): Promise<readonly Finding[]> {
  const guests = inspectGuests(settings, inspection.site);
  const session = await inspection.session();
  if (!session.ok)
    return [settings.external.anonymous_users ? GUESTS.signInFailed(session.error) : guests, REALTIME.notTried];
  const { token, user } = session.value;
  const channel = { topic: personTopic(user), isPrivate: true, token };
  const joined = await tryChannel(inspection.project, channel, inspection.openSocket);
  if (!joined.isJoined) return [guests, REALTIME.refused(joined.reason)];
  const ms = Math.round(joined.roundTripMs);
  return [guests, ms > SLOW_ROUND_TRIP_MS ? REALTIME.slow(ms) : REALTIME.right(ms)];
}

function inspectGuests({ external }: Settings, site: InspectedSite | null): Finding {
  const isAllowed = external.anonymous_users;
  if (site === null) return isAllowed ? GUESTS.allowed : GUESTS.projectOff;
  if (isAllowed) return site.allowsGuests ? GUESTS.right : GUESTS.notOffered;
  return site.allowsGuests ? GUESTS.refused : GUESTS.off;
}

function inspectLimits(site: InspectedSite | null): Finding {
  if (site === null) return LIMITS.unseen;
  return site.isEmbedded ? LIMITS.embedded : LIMITS.budget(site.liveBudget);
}

/** An upload that no one may make: Storage looks for the bucket first. */
async function inspectFiles(inspection: Inspection): Promise<Finding> {
  const headers = { 'content-type': `application/x-${PROBE}` };
  const path = `/storage/v1/object/attachments/${PROBE}`;
  const response = await ask(inspection, path, { method: 'POST', headers, body: 'x' });
  if (response.ok) return FILES.open;
  const text = JSON.stringify(await jsonOf(response));
  if (/bucket not found|NoSuchBucket/i.test(text)) return FILES.missing;
  // Refused for its type or for want of a right, whichever the server checks first.
  const isRefused = /mime.?type|row-level security|unauthorized|AccessDenied/i.test(text);
  return isRefused ? FILES.right : noAnswer(TITLES.files, `status ${response.status}`);
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

const errorSchema = v.object({ code: v.string() });

async function codeOf(response: Response): Promise<string> {
  return parseOrNull(errorSchema, await jsonOf(response))?.code ?? '';
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
