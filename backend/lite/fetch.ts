// How repairs of the API are put together: each takes the next handler and returns one.

/** Answers one API request; `peerAddress` is who asks, null when unknown. */
export type Fetch = (request: Request, peerAddress: string | null) => Promise<Response>;

export type Repair = (next: Fetch) => Fetch;

export const pathOf = (request: Request): string => new URL(request.url).pathname;

/** The same request with another body; lite must not see the length of the old one. */
export function withBody(request: Request, body: unknown): Request {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
}

/** The same response with another JSON body. */
export function withJson(response: Response, body: unknown): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(body), { status: response.status, statusText: response.statusText, headers });
}

/** The JSON of a body, without using it up; null when it is none. */
export async function jsonOf(message: Request | Response): Promise<unknown> {
  if (message.body === null) return null;
  try {
    return await message.clone().json();
  } catch {
    return null;
  }
}
