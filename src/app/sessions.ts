// The lazy half of wire.ts: opens sessions, and says what of a document the lists need.
import { titleText } from '../document/title.ts';
import type { DocumentId, LinkSecret, UserId } from '../protocol/ids.ts';
import { SCHEMA_VERSION } from '../protocol/limits.ts';
import type { OpenedSession } from '../state/open-page.ts';
import type { Ports } from '../sync/ports.ts';
import { openSession } from '../sync/session.ts';
import type { WatchSession } from '../sync/session-api.ts';
import { type WatchPorts, openWatch } from '../sync/watch-session.ts';

export const openOwn = (document: DocumentId, user: UserId, ports: Ports): OpenedSession => ({
  session: openSession(document, { user, ports, schemaVersion: SCHEMA_VERSION }),
  readTitle: titleText,
});

export const openWatched = (secret: LinkSecret, ports: WatchPorts): WatchSession =>
  openWatch(secret, { ports, schemaVersion: SCHEMA_VERSION });
