// Everything that an app's origin has stored on the device, as one text: to check that words are stored, or that none are left.
import type { Page } from 'playwright-core';

/** IndexedDB (bytes as text too), Cache Storage except the app's own files, local and session storage. */
export const storedText = (page: Page): Promise<string> => page.evaluate(collect);

/** Runs in the page. */
async function collect(): Promise<string> {
  const found: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  const asText = (value: unknown): string => {
    if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
    if (ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value);
    if (Array.isArray(value)) return value.map(asText).join(' ');
    if (typeof value === 'object' && value !== null) return Object.values(value).map(asText).join(' ');
    return String(value);
  };
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB refused')));
    });
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue;
    const request = indexedDB.open(name);
    // If the app has deleted the database meanwhile, do not create it again: opening it fails then.
    request.addEventListener('upgradeneeded', () => request.transaction?.abort());
    const database = await settled(request).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') return null;
      throw error;
    });
    if (database === null) continue;
    for (const store of database.objectStoreNames) {
      found.push(asText(await settled(database.transaction(store).objectStore(store).getAll())));
    }
    database.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      // The app's own files cannot contain user text.
      if (new URL(request.url).pathname.startsWith('/assets/')) continue;
      found.push(request.url, (await (await cache.match(request))?.text()) ?? '');
    }
  }
  return found.join('\n');
}
