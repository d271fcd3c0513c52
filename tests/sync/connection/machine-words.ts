// States, events and effects of the machine as short words, so that a transition is one line of a table.
import type { Effect, Event, State } from 'weft-sync/connection/machine.ts';

const OFFLINE_TOPIC = { left: '', joining: ' joining', joined: ' linked' } as const;

export function describeState(state: State): string {
  switch (state.status) {
    case 'opening':
      return 'opening';
    case 'live':
      return `live ${state.attempt}`;
    case 'reconnecting':
      return `reconnecting ${state.attempt} ${state.doing}${state.via === 'open' ? ' (ask first)' : ''}`;
    case 'offline':
      return `offline ${state.reason} ${state.attempt}${OFFLINE_TOPIC[state.topic]}${state.calling ? ' calling' : ''}`;
    case 'readOnly':
      return `readOnly ${state.reason}, ${describeState(state.connection)}`;
    case 'closed':
      return `closed ${state.reason}`;
  }
}

export function describeEvent(event: Event): string {
  switch (event.type) {
    case 'opened':
    case 'answered':
      return `${event.type} ${event.access}${event.moved ? ' moved' : ''}`;
    case 'openFailed':
    case 'callFailed':
      return `${event.type} ${event.code}`;
    case 'linkLost':
      return `linkLost ${event.reason}`;
    default:
      return event.type;
  }
}

export function describeEffect(effect: Effect): string {
  if (effect.type !== 'startRetry') return effect.type;
  return effect.wait.kind === 'move' ? 'startRetry(move)' : `startRetry(backoff ${effect.wait.attempt})`;
}

/** Every state of the machine, with the fields that matter varied. */
export const STATES: readonly State[] = [
  { status: 'opening' },
  { status: 'live', attempt: 2 },
  { status: 'reconnecting', attempt: 2, doing: 'waiting', via: 'join' },
  { status: 'reconnecting', attempt: 2, doing: 'waiting', via: 'open' },
  { status: 'reconnecting', attempt: 2, doing: 'opening', via: 'open' },
  { status: 'reconnecting', attempt: 2, doing: 'joining', via: 'join' },
  { status: 'offline', reason: 'network', attempt: 2, topic: 'left', calling: false },
  { status: 'offline', reason: 'network', attempt: 2, topic: 'joining', calling: false },
  { status: 'offline', reason: 'network', attempt: 2, topic: 'joined', calling: true },
  { status: 'offline', reason: 'noAccess', attempt: 2, topic: 'left', calling: false },
];

export const EVENTS: readonly Event[] = [
  { type: 'opened', access: 'edit', moved: false },
  { type: 'opened', access: 'edit', moved: true },
  { type: 'opened', access: 'read', moved: false },
  { type: 'opened', access: 'newer', moved: false },
  { type: 'openFailed', code: 'WF001' },
  { type: 'openFailed', code: 'WF003' },
  { type: 'openFailed', code: 'WF011' },
  { type: 'joined' },
  { type: 'linkLost', reason: 'denied' },
  { type: 'linkLost', reason: 'closed' },
  { type: 'linkLost', reason: 'disconnected' },
  { type: 'answered', access: 'edit', moved: false },
  { type: 'answered', access: 'edit', moved: true },
  { type: 'answered', access: 'read', moved: false },
  { type: 'callFailed', code: 'WF001' },
  { type: 'callFailed', code: 'WF002' },
  { type: 'callFailed', code: 'WF003' },
  { type: 'callFailed', code: 'WF004' },
  { type: 'callFailed', code: 'WF008' },
  { type: 'callFailed', code: 'WF011' },
  { type: 'callFailed', code: 'WF018' },
  { type: 'callFailed', code: 'WF019' },
  { type: 'callFailed', code: 'unknown' },
  { type: 'outboxRefused' },
  { type: 'moved' },
  { type: 'retryDue' },
  { type: 'headCheckDue' },
  { type: 'cameOnline' },
  { type: 'wentOffline' },
  { type: 'cameBack' },
  { type: 'wentHidden' },
  { type: 'retryAsked' },
  { type: 'closeAsked' },
];
