// Reads a request's body whole before anybody acts on it: PGlite runs one transaction at a time, and a client that sends
// slowly must not hold one open.

const MIB = 1024 * 1024;

/** A snapshot of 20 MiB is 27 MiB as base64 in JSON. */
const MAX_BODY_BYTES = 48 * MIB;

/** Null when the body is longer than anything Weft or a hosted project takes. */
export async function withWholeBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Request | null> {
  if (request.body === null) return request;
  if (Number(request.headers.get('content-length')) > maxBytes) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body) {
    length += part.length;
    if (length > maxBytes) return null;
    parts.push(part);
  }
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: new Uint8Array(Buffer.concat(parts)),
  });
}
