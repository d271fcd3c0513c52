// Decides about each frame of Realtime before anything else sees it. Anyone who may be on a topic makes frames that others
// receive, and realtime-js takes every one of them for well-formed and small.
import type { RealtimeClientOptions } from '@supabase/supabase-js';
import * as v from 'valibot';

type Decode = NonNullable<RealtimeClientOptions['decode']>;

/** In characters. A state of Weft's has about 200, so this is room for 2,500 sessions on one topic. */
const MAX_PRESENCE_LENGTH = 512 * 1024;
const PRESENCE_TOO_LARGE = 'weft: presence is too large';
/** `[join_ref, ref, topic, event, …`, as servers write it. */
const PRESENCE = /^\[(?:null|"[^"]{0,64}"), ?(?:null|"[^"]{0,64}"), ?"([^"\\]{1,300})", ?"presence_(state|diff)"/u;
/** The pattern above needs no more. */
const HEAD_LENGTH = 600;
/** The kind of binary frame that realtime-js understands; with another one it throws. */
const USER_BROADCAST = 4;

const presenceTooLarge = v.object({ message: v.literal(PRESENCE_TOO_LARGE) });

/** Whether the payload of a system message says that presence was too large. */
export const isPresenceTooLarge = (payload: unknown): boolean => v.is(presenceTooLarge, payload);

/**
 * Drops what `decode` cannot read. Presence that is too large is not parsed: a server that does not limit it sends everyone
 * who joins all states of a topic at once, tens of megabytes if someone there wants that. A system message takes its place.
 */
export function guardedDecode(decode: Decode): Decode {
  /** Topics whose presence was too large. Later changes are useless without the state, and realtime-js would collect them. */
  const flooded = new Set<string>();

  return (raw, pass) => {
    const verdict = typeof raw === 'string' ? judge(raw, flooded) : kindOf(raw) === USER_BROADCAST ? 'pass' : 'drop';
    if (verdict === 'drop') return;
    if (verdict !== 'pass') {
      const payload = { message: PRESENCE_TOO_LARGE };
      pass({ join_ref: null, ref: null, topic: verdict.topic, event: 'system', payload });
      return;
    }
    const messages: Parameters<typeof pass>[0][] = [];
    try {
      decode(raw, (message) => void messages.push(message));
    } catch {
      return;
    }
    for (const message of messages) pass(message);
  };
}

const kindOf = (raw: ArrayBuffer): number | undefined => new Uint8Array(raw, 0, Math.min(1, raw.byteLength))[0];

function judge(raw: string, flooded: Set<string>): 'pass' | 'drop' | { readonly topic: string } {
  const isTooLarge = raw.length > MAX_PRESENCE_LENGTH;
  if (!isTooLarge && flooded.size === 0) return 'pass';
  const [, topic, kind] = PRESENCE.exec(raw.slice(0, HEAD_LENGTH)) ?? [];
  if (topic === undefined) return 'pass';
  if (isTooLarge) {
    const isKnown = kind === 'diff' && flooded.has(topic);
    flooded.add(topic);
    return isKnown ? 'drop' : { topic };
  }
  // A state comes after a join, and everything starts anew with it.
  if (kind === 'state') flooded.delete(topic);
  return flooded.has(topic) ? 'drop' : 'pass';
}
