// Tells the database how many messages per second this server's Realtime can handle, so that it publishes to watchers as often as
// that allows. A hosted project's owner sets the number of their plan.
import type { Queries } from '../engine.ts';

export async function setMessagesPerSecond(pg: Pick<Queries, 'query'>, messages: number): Promise<void> {
  // Older migrations, which tests apply, have no such table.
  const known = await pg.query<{ known: boolean }>(`select to_regclass('weft.settings') is not null as known`);
  if (known.rows[0]?.known !== true) return;
  await pg.query('update weft.settings set messages_per_second = $1 where messages_per_second <> $1', [messages]);
}
