// Finds out which project and which site an address means, checks both, and prints what it found.
import process from 'node:process';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { type RunTimeConfig, parseConfig } from '../../src/app/config/run-time-config.ts';
import { type Result, err, ok } from '../../src/lib/result.ts';
import type { ProjectAddress } from '../../src/platform/supabase/client.ts';
import {
  type InspectedSession,
  type InspectedSite,
  inspectProject,
} from '../../src/platform/supabase/inspection/inspect-project.ts';
import type { Finding, FindingStatus } from '../../src/texts/project-findings.ts';

const USAGE = `npm run doctor -- <address> [--key <publishable key>] [--site <address of the app>]

<address>  the project, such as https://<ref>.supabase.co, or the app itself, whose config.json names the project
--key      needed for a project; SUPABASE_ANON_KEY works too
--site     where people open the app, to check its config.json and the links in emails`;

const SIGNS: Readonly<Record<FindingStatus, string>> = { fit: '✓', unfit: '✗', advice: '!', unknown: '?' };
const REQUEST_TIMEOUT_MS = 10_000;

type Target = { readonly project: ProjectAddress; readonly site: InspectedSite | null };

/** Returns the exit code: 0 fit, 1 something has to be done, 2 not called rightly. */
export async function diagnose(args: readonly string[], print: (line: string) => void): Promise<number> {
  const target = await readTarget(args);
  if (!target.ok) {
    print(target.error);
    return 2;
  }
  const { project, site } = target.value;
  const findings = await inspectProject({
    project,
    site,
    session: () => signInGuest(project),
    fetch,
    openSocket: (url) => new WebSocket(url),
    now: () => Date.now(),
  });
  for (const finding of findings) print(lineOf(finding));
  const count = findings.filter(({ status }) => status === 'unfit').length;
  print(count === 0 ? 'The project is fit for Weft.' : count === 1 ? '1 thing to do.' : `${count} things to do.`);
  return count === 0 ? 0 : 1;
}

const lineOf = ({ title, status, text, todo }: Finding): string =>
  `${SIGNS[status]} ${title}: ${text}${todo === null ? '' : `\n    → ${todo}`}`;

async function readTarget(args: readonly string[]): Promise<Result<Target, string>> {
  let given: { address: string; key: string; site: string };
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { key: { type: 'string' }, site: { type: 'string' } },
    });
    const [address = '', ...others] = positionals;
    if (address === '' || others.length > 0) return err(USAGE);
    given = { address, key: values.key ?? process.env['SUPABASE_ANON_KEY'] ?? '', site: values.site ?? '' };
  } catch {
    return err(USAGE);
  }
  for (const address of [given.address, given.site]) {
    if (address !== '' && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      return err(`${address} is no address such as https://<ref>.supabase.co.`);
  }
  const named = await readSite(given.address);
  if (named !== null && given.site === '' && given.key === '') return ok(named);
  if (given.key === '') return err(`${given.address} has no config.json, so the project’s key is needed.\n\n${USAGE}`);
  const project = { url: new URL(given.address).origin, anonKey: given.key };
  if (given.site === '') return ok({ project, site: named?.site ?? null });
  const site = await readSite(given.site);
  return site === null ? err(`${given.site} has no config.json of Weft.`) : ok({ project, site: site.site });
}

/** The project and the site behind an address of the app; null if it is none. */
async function readSite(address: string): Promise<Target | null> {
  const { origin } = new URL(address);
  try {
    const response = await fetch(`${origin}/config.json`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const config = response.ok ? parseConfig(await response.text(), origin) : null;
    return config?.ok === true ? targetOf(config.value, origin) : null;
  } catch {
    return null;
  }
}

const targetOf = ({ url, anonKey, allowsGuests, liveBudget, isEmbedded }: RunTimeConfig, origin: string): Target => ({
  project: { url, anonKey },
  site: { origin, allowsGuests, liveBudget, isEmbedded },
});

const guestSchema = v.object({ access_token: v.string(), user: v.object({ id: v.string() }) });
const refusalSchema = v.object({ msg: v.string() });

/** The guest stays behind: only the project's secret key could delete it. */
async function signInGuest({ url, anonKey }: ProjectAddress): Promise<Result<InspectedSession, string>> {
  const response = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { display_name: 'Weft doctor' } }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const body: unknown = await response.json().catch(() => null);
  const guest = v.safeParse(guestSchema, body);
  const user = guest.success ? parseUserId(guest.output.user.id) : null;
  if (guest.success && user !== null) return ok({ token: guest.output.access_token, user });
  const refusal = v.safeParse(refusalSchema, body);
  return err(refusal.success ? refusal.output.msg : `status ${response.status}`);
}
