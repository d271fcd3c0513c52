// The Tabs port over BroadcastChannel: one channel per joined document, named for project and user like the database.
// Any script of this origin may post into it: only bytes of a bounded size get in, what they mean is parsed by the core.
import type { Bytes } from '../../lib/bytes.ts';
import type { DocumentId, UserId } from '../../protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES, SCHEMA_VERSION } from '../../protocol/limits.ts';
import type { Tabs } from '../../sync/ports.ts';

const ALONE: Tabs = { join: () => ({ post: () => undefined, leave: () => undefined }) };

export function browserTabs(project: string, user: UserId): Tabs {
  if (typeof BroadcastChannel !== 'function') return ALONE;
  return { join: (page, heard) => joinChannel(channelName(project, user, page), heard) };
}

/** With the schema: a tab that still runs an older app must not hear of content that it would tidy away. */
export const channelName = (project: string, user: UserId, page: DocumentId): string =>
  `weft:${SCHEMA_VERSION}:${project}:${user}:${page}`;

function joinChannel(name: string, heard: (bytes: Bytes) => void): ReturnType<Tabs['join']> {
  let channel: BroadcastChannel | null = null;
  let isLeft = false;

  const listen = ({ data }: MessageEvent<unknown>) => {
    const bytes = parseMessage(data);
    if (bytes !== null && channel !== null) heard(bytes);
  };
  const open = () => {
    if (isLeft || channel !== null) return;
    channel = openChannel(name);
    channel?.addEventListener('message', listen);
  };
  const close = () => {
    channel?.removeEventListener('message', listen);
    channel?.close();
    channel = null;
  };
  // A frozen page would collect messages without bound and work through all of them when it wakes; one in the
  // back/forward cache is thrown out by the first message. What it missed it learns as after any absence.
  const restored = (event: PageTransitionEvent) => {
    if (event.persisted) open();
  };
  document.addEventListener('freeze', close);
  document.addEventListener('resume', open);
  addEventListener('pagehide', close);
  addEventListener('pageshow', restored);
  open();

  return {
    post(bytes) {
      if (bytes.length > 0 && bytes.length <= MAX_TAB_MESSAGE_BYTES) channel?.postMessage(exactBuffer(bytes));
    },
    leave() {
      isLeft = true;
      close();
      document.removeEventListener('freeze', close);
      document.removeEventListener('resume', open);
      removeEventListener('pagehide', close);
      removeEventListener('pageshow', restored);
    },
  };
}

/** Null where storage is blocked: some browsers then refuse the constructor with a SecurityError. */
function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

function parseMessage(data: unknown): Bytes | null {
  if (!(data instanceof ArrayBuffer) || data.byteLength === 0 || data.byteLength > MAX_TAB_MESSAGE_BYTES) return null;
  return new Uint8Array(data);
}

/** Posting copies the whole buffer: a view into a larger one is cut out first. */
const exactBuffer = ({ buffer, byteOffset, byteLength }: Bytes): ArrayBuffer =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
