// The limits and prices of Supabase's plans for Realtime (November 2026), and the cost of a page's messages by them.
//   https://supabase.com/docs/guides/realtime/limits
//   https://supabase.com/docs/guides/platform/manage-your-usage/realtime-messages
//   https://supabase.com/docs/guides/platform/manage-your-usage/realtime-peak-connections

export const PLANS = {
  Free: { perSecond: 100, connections: 200, includedMessages: 2_000_000, canExceed: false },
  Pro: { perSecond: 500, connections: 500, includedMessages: 5_000_000, canExceed: false },
  'Pro, no spend cap': { perSecond: 2_500, connections: 10_000, includedMessages: 5_000_000, canExceed: true },
} as const;
export type PlanName = keyof typeof PLANS;
/** The smallest first. */
export const PLAN_NAMES: readonly PlanName[] = ['Free', 'Pro', 'Pro, no spend cap'];

const DOLLARS_PER_MILLION = 2.5;
/** A page on which people write for four hours on 22 days of the month. */
const BUSY_SECONDS_PER_MONTH = 4 * 3_600 * 22;

export const messagesPerMonth = (perSecond: number): number => perSecond * BUSY_SECONDS_PER_MONTH;

/** The price of messages beyond the plan's quota, in whole packages of a million. */
export const dollarsPerMonth = (perSecond: number): number =>
  Math.ceil(Math.max(0, messagesPerMonth(perSecond) - PLANS['Pro, no spend cap'].includedMessages) / 1_000_000) *
  DOLLARS_PER_MILLION;

/** The first plan that allows this many messages a second, connections, and messages a month. */
export const planFor = (perSecond: number, connections: number): PlanName | null =>
  PLAN_NAMES.find((name) => {
    const plan = PLANS[name];
    const isIncluded = plan.canExceed || messagesPerMonth(perSecond) <= plan.includedMessages;
    return perSecond <= plan.perSecond && connections <= plan.connections && isIncluded;
  }) ?? null;
