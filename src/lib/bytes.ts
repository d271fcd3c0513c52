// Bytes and their text forms. Some browsers that we support have no `Uint8Array.toBase64` yet.

export type Bytes = Uint8Array<ArrayBuffer>;

/** Characters per `String.fromCharCode` call. More overflow V8's argument stack. */
const CHUNK = 0x8000;

/**
 * Standard base64 with padding. Uses the browser's own encoder if there is one: 5 MB take a few milliseconds instead of
 * 100.
 */
export function toBase64(bytes: Uint8Array): string {
  if (writesBase64(bytes)) return bytes.toBase64();
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(text);
}

/** Decodes standard base64. Line breaks are allowed, because Postgres writes them. Returns null for anything else. */
export function fromBase64(text: string): Bytes | null {
  try {
    const native: object = Uint8Array;
    if (readsBase64(native)) return native.fromBase64(text);
    const decoded = atob(text);
    const bytes = new Uint8Array(decoded.length);
    for (let at = 0; at < decoded.length; at++) bytes[at] = decoded.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}

const writesBase64 = (bytes: Uint8Array): bytes is Uint8Array & { toBase64(): string } => 'toBase64' in bytes;
const readsBase64 = (native: object): native is { fromBase64(text: string): Bytes } => 'fromBase64' in native;

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
