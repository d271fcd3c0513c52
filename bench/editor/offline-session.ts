// A session without peers, network and storage.
import { timerlessAwareness } from 'weft-sync/live/timerless-awareness.ts';
import { parseDocumentId, parseSessionId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { OPENING } from '../../src/state/page/session-of-page.ts';

const ID = '00000000-0000-4000-8000-000000000001';

export function offlineSession(): Session {
  const [documentId, sessionId, user] = [parseDocumentId(ID), parseSessionId(ID), parseUserId(ID)];
  if (documentId === null || sessionId === null || user === null) throw new Error('malformed id');
  const doc = newDoc();
  const view: SessionView = {
    ...OPENING,
    phase: 'ready',
    receipt: 'saved',
    upToDate: true,
    connection: 'live',
    role: 'editor',
    editable: true,
  };
  return {
    documentId,
    sessionId,
    user,
    doc,
    awareness: timerlessAwareness(doc),
    getView: () => view,
    subscribe: () => () => undefined,
    liveDiagnostics: () => ({
      withoutText: 'off',
      intervalMs: 0,
      share: 1,
      slowdowns: 0,
      topicMode: 'live',
      others: 0,
      isListed: true,
      shownLive: 0,
      shownByRow: 0,
      waiting: 0,
    }),
    mayGrow: () => true,
    present: () => undefined,
    stopPresenting: () => undefined,
    setStance: () => undefined,
    retry: () => undefined,
    pauseRemote: () => () => undefined,
    onBeforeRemote: () => () => undefined,
    unsentFile: () => new Uint8Array(),
    historyBeganAt: 0,
    isCopyDue: false,
    shownSeq: 1,
    close: () => Promise.resolve(),
  };
}
