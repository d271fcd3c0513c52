// The Tabs port over BroadcastChannel: one channel per joined document, named after project and user like the database.
// Any script of this origin can post to it, so only bytes of a limited size get in, and the sync core parses them.
import type { Bytes } from '../../../lib/bytes.ts';
import type { Tabs } from '../../ports.ts';
import type { DocumentId, UserId } from '../../protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES } from '../../protocol/limits.ts';
import { suspendableChannel } from './suspendable-channel.ts';

export function browserTabs(project: string, user: UserId, schemaVersion: number): Tabs {
  return { join: (page, onMessage) => joinChannel(channelName(project, user, schemaVersion, page), onMessage) };
}

/** Contains the schema version: a tab with an older app must not receive content that it would delete as unknown. */
export const channelName = (project: string, user: UserId, schemaVersion: number, page: DocumentId): string =>
  `weft:${schemaVersion}:${project}:${user}:${page}`;

function joinChannel(name: string, onMessage: (bytes: Bytes) => void): ReturnType<Tabs['join']> {
  // Messages missed while suspended are fetched as after any absence.
  const { post, leave } = suspendableChannel(name, {
    onMessage(data) {
      const bytes = parseMessage(data);
      if (bytes !== null) onMessage(bytes);
    },
  });
  return {
    post(bytes) {
      if (bytes.length > 0 && bytes.length <= MAX_TAB_MESSAGE_BYTES) post(exactBuffer(bytes));
    },
    leave,
  };
}

function parseMessage(data: unknown): Bytes | null {
  if (!(data instanceof ArrayBuffer) || data.byteLength === 0 || data.byteLength > MAX_TAB_MESSAGE_BYTES) return null;
  return new Uint8Array(data);
}

/** Posting copies the whole buffer, so a view into a larger one is cut out first. */
const exactBuffer = ({ buffer, byteOffset, byteLength }: Bytes): ArrayBuffer =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
