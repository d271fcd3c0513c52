// The messages of a Realtime socket, before encoding: those of Phoenix in protocol 2.0.0, which has JSON arrays, and binary
// frames for broadcasts.

/** The topic of every channel begins with this prefix; policies see the name after it. */
export const TOPIC_PREFIX = 'realtime:';

/** Chosen by the client; the server repeats it in its reply. */
export type Ref = string | number | null;

export type JsonObject = { readonly [key: string]: unknown };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Envelope = { readonly joinRef: Ref; readonly ref: Ref; readonly topic: string };

/** Sent by a client. */
export type Incoming =
  | (Envelope & { readonly kind: 'message'; readonly event: string; readonly payload: unknown })
  /** A broadcast in a binary frame; `event` is the user's. JSON stays unparsed, since it is only passed on. */
  | (Envelope & { readonly kind: 'broadcast'; readonly event: string } & Content);

/** The content of a broadcast that came in a binary frame or from the database. */
export type Content = { readonly encoding: 'json' | 'bytes'; readonly content: Uint8Array };

/** Marks a message from the database with the id of its row. */
export type MessageMeta = { readonly id: string };

/** Sent by the server, as text. */
export type Outgoing = Envelope & { readonly event: string; readonly payload: JsonObject };

export type WireFrame = { readonly data: string | Uint8Array; readonly binary: boolean };
