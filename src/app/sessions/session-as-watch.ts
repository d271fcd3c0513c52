// Presents a member's session as a WatchSession: the same page, read-only.
import { titleText } from '../../document/title.ts';
import type { Session, WatchSession } from '../../sync/session/session-api.ts';
import type { SessionView, WatchView } from '../../sync/session/views.ts';

export function sessionAsWatch(session: Session): WatchSession {
  let viewedState: SessionView | null = null;
  let view: WatchView | null = null;
  let changedAt: number | null = null;
  const markChanged = () => (changedAt = Date.now());
  session.doc.on('update', markChanged);
  let rebuilds = session.getView().rebuilds;
  session.subscribe(() => {
    if (session.getView().rebuilds === rebuilds) return;
    rebuilds = session.getView().rebuilds;
    // The session destroys the document from before the rebuild, with its listeners.
    session.doc.on('update', markChanged);
    markChanged();
  });
  return {
    get doc() {
      return session.doc;
    },
    getView() {
      const now = session.getView();
      if (view !== null && now === viewedState && view.changedAt === changedAt) return view;
      viewedState = now;
      const title = now.phase === 'ready' ? titleText(session.doc) : '';
      view = {
        phase: phaseOf(now),
        documentId: now.document?.id ?? null,
        title,
        role: now.role,
        changedAt,
        error: now.error,
      };
      return view;
    },
    subscribe(run) {
      let { doc } = session;
      doc.on('update', run);
      const stop = session.subscribe(() => {
        if (doc !== session.doc) {
          doc.off('update', run);
          doc = session.doc;
          doc.on('update', run);
        }
        run();
      });
      return () => {
        doc.off('update', run);
        stop();
      };
    },
    retry: () => session.retry(),
    // Nothing to close: the list of open pages owns the session.
    close: () => undefined,
  };
}

function phaseOf({ phase, connection, role }: SessionView): WatchView['phase'] {
  if (phase === 'failed' || phase === 'closed') return 'failed';
  if (phase === 'opening') return 'opening';
  return connection === 'live' || role === null ? 'live' : 'reconnecting';
}
