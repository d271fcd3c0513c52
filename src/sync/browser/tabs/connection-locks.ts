// The Locks port for browsers without Web Locks. A lock is a held database connection, and a channel on which holders
// answer that they exist. The channel makes it fast, the connection makes it safe: a tab that cannot answer still holds
// its lock.
import type { Cancel } from '../../../lib/cancel.ts';
import type { Locks } from '../../ports.ts';
import { holdConnection } from './held-connection.ts';
import { openChannel } from './suspendable-channel.ts';

const PREFIX = 'weft-session:';
/** If storage is blocked there is no such channel, but then nothing is stored that could have two owners. */
const CHANNEL = 'weft-session-locks';
/** Tabs of one browser answer within a few milliseconds. */
const ANSWERS_WITHIN_MS = 100;

export function connectionLocks(): Locks {
  const held = new Set<string>();
  const channel = openChannel(CHANNEL);
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const asked = nameIn(data, 'asks');
    if (asked !== null && held.has(asked)) channel.postMessage({ holds: asked });
  });

  const isHeld = (name: string): Promise<boolean> =>
    new Promise((resolve) => {
      const finish = (answer: boolean) => {
        clearTimeout(timer);
        channel?.removeEventListener('message', listen);
        resolve(answer);
      };
      const listen = ({ data }: MessageEvent<unknown>) => {
        if (nameIn(data, 'holds') === name) finish(true);
      };
      const timer = setTimeout(() => finish(false), ANSWERS_WITHIN_MS);
      channel?.addEventListener('message', listen);
      channel?.postMessage({ asks: name });
    });

  const take = async (name: string): Promise<Cancel | null> => {
    if (held.has(name)) return null;
    const release = await holdConnection(name, () => isHeld(name));
    if (release === null) return null;
    held.add(name);
    return () => {
      held.delete(name);
      release();
    };
  };

  return { take: (session) => take(PREFIX + session) };
}

/**
 * Deletes databases of locks that closed tabs left behind, by taking and releasing these locks. Returns how many it tried
 * to delete.
 */
export async function sweepConnectionLocks(atMost: number): Promise<number> {
  // Missing in older browsers.
  const names: (() => Promise<IDBDatabaseInfo[]>) | undefined = indexedDB.databases?.bind(indexedDB);
  const left = (await names?.())?.flatMap(({ name = '' }) => (name.startsWith(PREFIX) ? name : [])) ?? [];
  const channel = openChannel(CHANNEL);
  const holders = new Set<string>();
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const name = nameIn(data, 'holds');
    if (name !== null) holders.add(name);
  });
  for (const name of left) channel?.postMessage({ asks: name });
  await new Promise((resolve) => setTimeout(resolve, 5 * ANSWERS_WITHIN_MS));
  channel?.close();
  const free = left.filter((name) => !holders.has(name)).slice(0, atMost);
  for (const name of free) (await holdConnection(name, async () => holders.has(name)))?.();
  return free.length;
}

/** Any script of this origin can post messages. */
function nameIn(data: unknown, key: 'asks' | 'holds'): string | null {
  const name: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, key) : null;
  return typeof name === 'string' ? name : null;
}
