// The exports of the npm package `weft-sync`. The app imports the files themselves.
export { browserClock, browserRandom } from './browser/clock.ts';
export { browserEnvironment } from './browser/environment.ts';
export { idbStore } from './browser/storage/idb-store.ts';
export { type LogDatabase, logDatabase } from './browser/storage/log-database.ts';
export { type SignOutMarker, signOutMarker } from './browser/storage/sign-out-marker.ts';
export { browserLocks } from './browser/tabs/locks.ts';
export { browserTabs } from './browser/tabs/tab-channel.ts';
export type { PageText } from './log/text-copy.ts';
export type {
  Clock,
  Environment,
  Link,
  Locks,
  Log,
  Ports,
  Random,
  SnapshotMaker,
  Store,
  Tabs,
  WatchLog,
} from './ports.ts';
export type { WeftError } from './protocol/errors.ts';
export {
  type DocumentId,
  type LinkSecret,
  type SessionId,
  type UserId,
  parseDocumentId,
  parseSessionId,
  parseUserId,
} from './protocol/ids.ts';
export type { DocumentRole } from './protocol/roles.ts';
export { openSession } from './session/session.ts';
export type { LinkWatch, Session } from './session/session-api.ts';
export type { SessionOptions } from './session/session-options.ts';
export type { Receipt, SessionView, WatchView } from './session/views.ts';
export { type WatchPorts, openWatch } from './session/watch-session.ts';
export { snapshotMaker } from './snapshot/snapshot-maker.ts';
export { supabaseLog, supabaseWatchLog } from './supabase/log.ts';
export { guardedDecode } from './supabase/realtime/frame-guard.ts';
export { supabaseLink } from './supabase/realtime/link.ts';
