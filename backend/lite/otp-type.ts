// Gap: @supabase/lite 0.10.0 does not know `type: 'email'` of `verifyOtp`, which hosted projects and our app use: a code from
// a mail, of whichever mail it was. It knows 'magiclink' and 'signup'; both are tried.
import * as v from 'valibot';
import { type Repair, jsonOf, pathOf, withBody } from './fetch.ts';

const emailCodeSchema = v.looseObject({ type: v.literal('email') });

export const emailOtpType: Repair = (next) => async (request, peerAddress) => {
  if (request.method !== 'POST' || pathOf(request) !== '/auth/v1/verify') return next(request, peerAddress);
  const parsed = v.safeParse(emailCodeSchema, await jsonOf(request));
  if (!parsed.success) return next(request, peerAddress);
  const asMagicLink = await next(withBody(request, { ...parsed.output, type: 'magiclink' }), peerAddress);
  return asMagicLink.ok ? asMagicLink : next(withBody(request, { ...parsed.output, type: 'signup' }), peerAddress);
};
