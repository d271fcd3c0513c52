// The limits that depend on the plan of a hosted project (Supabase, November 2026). With WEFT_PLAN the embedded Realtime
// has them, to try how Weft keeps below them.
import type { RealtimeOptions } from './options.ts';

export type Plan = 'free' | 'pro';

type PlanLimits = Required<
  Pick<
    RealtimeOptions,
    'maxUsers' | 'maxJoinsPerSecond' | 'maxEventsPerSecond' | 'maxPresenceEventsPerSecond' | 'maxPayloadBytes'
  >
>;

export const PLANS: { readonly [plan in Plan]: PlanLimits } = {
  free: {
    maxUsers: 200,
    maxJoinsPerSecond: 100,
    maxEventsPerSecond: 100,
    maxPresenceEventsPerSecond: 20,
    // 256 kB, with the allowance that Realtime adds to every plan's size.
    maxPayloadBytes: 256_500,
  },
  pro: {
    maxUsers: 500,
    maxJoinsPerSecond: 500,
    maxEventsPerSecond: 500,
    maxPresenceEventsPerSecond: 50,
    maxPayloadBytes: 3_000_500,
  },
};

export const isPlan = (text: string): text is Plan => Object.hasOwn(PLANS, text);
