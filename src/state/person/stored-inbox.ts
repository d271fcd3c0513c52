// Parses the copy of the inbox on this device: the newest notifications, with times as numbers, and how many are unread.
import * as v from 'valibot';
import { count } from 'weft-sync/protocol/shapes.ts';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import { notification } from '../../protocol/home-answers.ts';

const storedNotification = v.object({ ...notification.entries, at: v.number(), readAt: v.nullable(v.number()) });
const storedInbox = v.object({ unread: count, notifications: v.array(storedNotification) });

export const parseStoredInbox = (stored: unknown): v.InferOutput<typeof storedInbox> | null =>
  parseOrNull(storedInbox, stored);
