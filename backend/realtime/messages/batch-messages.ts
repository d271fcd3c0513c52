// Parses a batch of messages sent over HTTP. Errors are worded like the validation of Supabase Realtime.
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import { jsonSize } from '../wire/payload-size.ts';
import type { TopicName } from '../topic/topic-hub.ts';
import { type JsonObject, isJsonObject } from '../wire/wire-message.ts';

export const TOO_LARGE = 'Payload size exceeds tenant limit';

export type BatchMessage = { readonly topic: TopicName; readonly event: string; readonly payload: JsonObject };
/** The errors of one message, by field. */
type FieldErrors = { readonly [field: string]: readonly string[] };

/** Accepts all messages or none. Errors are listed in the order of the messages, `{}` for a valid one. */
export function parseBatch(
  messages: unknown,
  options: RealtimeOptions,
): Result<readonly BatchMessage[], readonly string[] | readonly FieldErrors[]> {
  if (!Array.isArray(messages) || messages.length === 0) return err(["can't be blank"]);
  const parsed = messages.map((message: unknown) => parseMessage(message, options));
  const errors = parsed.map((message) => (message.ok ? {} : message.error));
  return parsed.every((message) => message.ok) ? ok(parsed.map(({ value }) => value)) : err(errors);
}

/** Null for something else: a message that its sender means to be private must not become public. */
function parseFlag(value: unknown): boolean | null {
  if (value === true || value === 'true' || value === '1') return true;
  const isFalse = value === undefined || value === null || value === false || value === 'false' || value === '0';
  return isFalse ? false : null;
}

function parseMessage(message: unknown, options: RealtimeOptions): Result<BatchMessage, FieldErrors> {
  const { topic, event, payload, private: isPrivate } = isJsonObject(message) ? message : {};
  const errors: Record<string, string[]> = {};
  for (const [field, value] of Object.entries({ topic, event })) {
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      errors[field] = ["can't be blank"];
    } else if (typeof value !== 'string') errors[field] = ['is invalid'];
  }
  if (payload === undefined || payload === null) errors['payload'] = ["can't be blank"];
  else if (!isJsonObject(payload)) errors['payload'] = ['is invalid'];
  else if (jsonSize(payload) > options.maxPayloadBytes) errors['payload'] = [TOO_LARGE];
  const privacy = parseFlag(isPrivate);
  if (privacy === null) errors['private'] = ['is invalid'];
  if (privacy === null || typeof topic !== 'string' || typeof event !== 'string' || !isJsonObject(payload))
    return err(errors);
  if (Object.keys(errors).length > 0) return err(errors);
  return ok({ topic: { name: topic, private: privacy }, event, payload });
}
