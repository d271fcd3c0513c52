// Uploads an attachment's bytes as the app does, but with `fetch`, because Node has no XMLHttpRequest.
import type { Person, TestBackend } from './backend.ts';

/** The answer of Storage. `headers` replace those of the app; null leaves one out. */
export async function uploadAttachment(
  { url, server }: TestBackend,
  { client }: Person,
  path: string,
  body: Blob | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string | null>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { data } = await client.auth.getSession();
  const all = {
    apikey: server.anonKey,
    authorization: `Bearer ${data.session?.access_token ?? server.anonKey}`,
    'cache-control': 'private, no-store',
    'content-type': body instanceof Blob ? body.type : 'application/octet-stream',
    ...headers,
  };
  // Node requires `duplex` for streams, which are sent without a length; the DOM's types lack it.
  const request: RequestInit & { readonly duplex: 'half' } = {
    method: 'POST',
    headers: Object.entries(all).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, value]],
    ),
    body,
    duplex: 'half',
  };
  const response = await fetch(`${url}/storage/v1/object/attachments/${path}`, request);
  return { status: response.status, text: await response.text() };
}
