// Reports how a session's live updates fare. Changes nothing.
import type { SessionContext } from '../session-context.ts';
import type { SessionParts } from './session-parts.ts';
import type { LiveDiagnostics } from './views.ts';

export function liveDiagnostics(
  { connection, presence, sessionId, state }: SessionContext,
  { arrivals, liveReceiver, liveSender }: Pick<SessionParts, 'arrivals' | 'liveReceiver' | 'liveSender'>,
): LiveDiagnostics {
  return {
    ...liveSender.diagnostics,
    topicMode: connection.topicMode,
    others: presence.others ?? 0,
    isListed: presence.has(sessionId),
    shownLive: arrivals.shownLive,
    shownByRow: arrivals.shownByRow,
    waiting: state.pending.held.waiting.length + liveReceiver.unknownSessions,
  };
}
