// Presence as the hostile list it may be.
import { expect, test } from 'vitest';
import { MAX_CLAIMS, Presence } from 'weft-sync/connection/presence.ts';
import { type SessionId, type UserId, parseSessionId, parseUserId } from 'weft-sync/protocol/ids.ts';

function must<T>(value: T | null): T {
  if (value === null) throw new Error('malformed id in a test');
  return value;
}
const sessionOf = (n: number): SessionId =>
  must(parseSessionId(`c0000000-0000-4000-8000-${String(n).padStart(12, '0')}`));
const userOf = (n: number): UserId => must(parseUserId(`b0000000-0000-4000-8000-${String(n).padStart(12, '0')}`));
const OWN = { session: sessionOf(0), user: userOf(0) };

test('[CA5] looks at a bounded number of claims, however many come, and again after each change', () => {
  const presence = new Presence(OWN, () => null);
  presence.joinedLive();
  const flood = Array.from({ length: 100_000 }, (_, n) => sessionOf(n + 1));
  let looks = 0;
  const counted = new Proxy([OWN.session, ...flood], {
    get(claims, name): unknown {
      if (/^\d+$/.test(String(name))) looks += 1;
      return Reflect.get(claims, name);
    },
  });
  for (let n = 0; n < 50; n++) presence.set(counted);
  expect(looks).toBeLessThanOrEqual(50 * MAX_CLAIMS);
  expect(presence.peers).toHaveLength(MAX_CLAIMS);
  expect(presence.others).toBe(MAX_CLAIMS - 1);
  // Without itself in the list a session does not know who is there, and the database publishes its rows.
  presence.set(flood);
  expect(presence.others).toBeNull();
});

test('[CA5] lists a session once, without a name until the database has named it', () => {
  const named = new Map<SessionId, UserId>();
  const presence = new Presence(OWN, (session) => named.get(session) ?? null);
  const session = sessionOf(1);
  presence.set([OWN.session, session, session]);
  expect([presence.peers, presence.unnamed]).toEqual([[OWN, { session, user: null }], [session]]);
  named.set(session, userOf(7));
  presence.named();
  expect([presence.peers, presence.unnamed]).toEqual([[OWN, { session, user: userOf(7) }], []]);
});
