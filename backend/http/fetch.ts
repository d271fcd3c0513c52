// How repairs of the API are put together: each takes the next handler and returns one.

/** Answers one API request; `peerAddress` is who asks, null when unknown. */
export type Fetch = (request: Request, peerAddress: string | null) => Promise<Response>;

export type Repair = (next: Fetch) => Fetch;

export const pathOf = (request: Request): string => new URL(request.url).pathname;

/** The same request with another body, or with one that was read. */
export const withBody = ({ url, method, headers }: Request, body: string): Request =>
  new Request(url, { method, headers, body });
