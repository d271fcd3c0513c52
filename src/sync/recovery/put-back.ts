// The form of what is put back (HI4): one outbox, in a copy that begins without rows (HI6).
import type { Bytes } from '../../lib/bytes.ts';
import type { OutboxEntry, OutboxKey, Random, StoredMeta } from '../ports.ts';
import { PUT_BACK_CLIENT_ID } from '../protocol/ids.ts';

/** `at`: the time of the newest row that is here, by the clock of the database (HI5). */
export const outboxToPutBack = (
  random: Pick<Random, 'session'>,
  update: Bytes,
  at: number | null,
): { readonly key: OutboxKey; readonly entry: OutboxEntry } => ({
  key: { session: random.session(), clientId: PUT_BACK_CLIENT_ID },
  entry: { n: 1, update, at: at ?? 0, buildsOn: [] },
});

/** The meta of a copy that begins without rows. */
export const metaOfNewCopy = ({ role, schemaVersion, title }: StoredMeta, copy: string): StoredMeta => ({
  seq: 0,
  role,
  schemaVersion,
  title,
  copy,
});
