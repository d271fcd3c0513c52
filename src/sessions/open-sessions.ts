// The part of `src/app/wire` that loads on demand: opens sessions of pages and links, and reads pages that no session has open.
import { bodyText } from 'weft-document/body/body-text.ts';
import { mentionsIn } from 'weft-document/body/mentions.ts';
import { blankSeed } from 'weft-document/seed.ts';
import { changeTitle, fittingChange, readTitle, titleText } from 'weft-document/title.ts';
import type { Log, Ports } from 'weft-sync/ports.ts';
import { type DocumentId, SEED_CLIENT_ID, SEED_SESSION, type UserId, type LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { LinkWatch, Session } from 'weft-sync/session/session-api.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { type WatchPorts, openWatch } from 'weft-sync/session/watch-session.ts';
import * as Y from 'yjs';
import type { Cancel } from '../lib/cancel.ts';
import { workerSnapshotMaker } from '../platform/browser/snapshots/worker-snapshot-maker.ts';
import { SCHEMA_VERSION } from '../protocol/limits.ts';
import type { OpenedSession } from '../state/page/session-of-page.ts';
import type { BeforeOpen } from '../state/person/person-ports.ts';
import { pageBudget } from './page-budget.ts';
import { readPage } from './read-page.ts';
import { type ReportAttachments, withAttachmentReports } from './report-attachments.ts';
import '../yjs/install.ts';

export { pictureMaker } from '../platform/browser/picture-maker.ts';
export { canBeMadeAgain, heldDocument, storedText, unsentCopyOf } from './stored-copy.ts';

const snapshotMaker = workerSnapshotMaker();

export const readWholePage = (document: DocumentId, from: Pick<Ports, 'log' | 'store'>) =>
  readPage(document, { ...from, unpack: snapshotMaker.unpack });

/** `release`: the page counts as open in a tab (`documentLocks`) until the owner of the session calls it. */
export const openMemberSession = (
  document: DocumentId,
  options: {
    readonly user: UserId;
    readonly ports: Ports;
    readonly beforeOpen: BeforeOpen;
    /** The messages per second that the project allows. */
    readonly projectBudget: number;
    /** Reports to the database which attachments the page uses. */
    readonly reportAttachments: ReportAttachments;
  },
  release: Cancel,
): OpenedSession => ({
  session: reportWrongSnapshot(openReportingAttachments(document, options)),
  readTitle: titleText,
  writeTitle: (doc, title) => changeTitle(doc, fittingChange(readTitle(doc), title).change),
  readText: bodyText,
  readState: (doc) => new Uint8Array(Y.encodeStateAsUpdate(doc)),
  release,
});

function openReportingAttachments(
  document: DocumentId,
  { user, ports, beforeOpen, projectBudget, reportAttachments }: Parameters<typeof openMemberSession>[1],
): Session {
  let session: Session | null = null;
  const created: Log = {
    ...ports.log,
    // A page created on this device is created on the server before it is opened there. If that fails, its error is the answer.
    async open(...args) {
      const before = await beforeOpen();
      return before.ok ? ports.log.open(...args) : before;
    },
  };
  const { log, opened: onOpened } = withAttachmentReports(created, () => session?.doc ?? null, reportAttachments);
  const opened = openSession(document, {
    user,
    ports: { ...ports, log, snapshots: snapshotMaker },
    schemaVersion: SCHEMA_VERSION,
    liveBudget: pageBudget(projectBudget),
    readText: (doc) => ({ title: titleText(doc), bodyText: bodyText(doc), mentions: mentionsIn(doc) }),
  });
  session = opened;
  const stop = opened.subscribe(() => {
    if (opened.getView().phase !== 'ready') return;
    stop();
    onOpened();
  });
  return opened;
}

/** The first row of a new page, equal to the one `create_document` writes: it does not matter which exists first. */
export const seedRow = (): Row => ({
  seq: 1,
  session: SEED_SESSION,
  clientId: SEED_CLIENT_ID,
  nFrom: 1,
  nTo: 1,
  update: blankSeed(),
  dependencies: [],
});

/** Reports a wrong snapshot (SN8) to the console, for the operator: the person who writes can do nothing about it. */
function reportWrongSnapshot(session: Session): Session {
  const stop = session.subscribe(() => {
    const { wrongSnapshot } = session.getView();
    if (wrongSnapshot === null) return;
    stop();
    reportError(new Error(`Snapshot ${wrongSnapshot} of page ${session.documentId} is not what its rows say.`));
  });
  return session;
}

export const openLinkSession = (secret: LinkSecret, ports: WatchPorts): LinkWatch =>
  openWatch(secret, { ports, schemaVersion: SCHEMA_VERSION });
