// Asks for a link’s page while the code that shows it is still loading: both take about as long.
import { ROW_VERSION } from 'weft-sync/protocol/row.ts';

const TIMEOUT_MS = 10_000;

/**
 * What `open_watch` answers, unchecked. Null if anything is wrong, which the app then finds and says. `config` is the
 * answer of /config.json, which the app reads too.
 */
export async function firstAnswer(secret: string, config: Promise<Response>): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { url = '', anonKey = '' } = Object(await (await config).clone().json());
    const response = await fetch(`${url}/rest/v1/rpc/open_watch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey: anonKey, authorization: `Bearer ${anonKey}` },
      body: JSON.stringify({ secret, since: 0, row_version: ROW_VERSION }),
      signal,
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
