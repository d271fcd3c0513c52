// Opening a socket: which handshakes are refused, with which status and body.
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { secondsFromNow, useTarget } from './target.ts';

const target = useTarget();
const ANOTHER_SECRET = 'another-secret-of-at-least-thirty-two-chars';

type Answer = { status: number | undefined; body: unknown };

function refusedHandshake(query: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(target.address(query));
    ws.on('open', () => reject(new Error('the socket opened')));
    ws.on('error', reject);
    ws.on('unexpected-response', (_, response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
  });
}

/** The original's answer to an unknown protocol has no body, ours says why. */
function refusedStatus(query: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(target.address(query));
    ws.on('open', () => reject(new Error('the socket opened')));
    ws.on('error', reject);
    ws.on('unexpected-response', (request, response) => {
      resolve(response.statusCode);
      request.destroy();
    });
  });
}

describe('a socket is refused', () => {
  const refusal = (error: string) => ({ status: 401, body: { error } });

  test('without an API key', async () => {
    expect(await refusedHandshake({ vsn: '2.0.0' })).toEqual(refusal('API key is missing'));
  });

  test('with a key that is not a token', async () => {
    expect(await refusedHandshake({ apikey: 'garbage' })).toEqual(refusal('The token provided is not a valid JWT'));
  });

  test('with a token signed with another secret', async () => {
    const apikey = await target.tokenOf('alice', {}, ANOTHER_SECRET);
    expect(await refusedHandshake({ apikey })).toEqual(refusal('Failed to validate JWT signature'));
  });

  test('with an expired token', async () => {
    const apikey = await target.tokenOf('alice', { exp: secondsFromNow(-5) });
    expect(await refusedHandshake({ apikey })).toEqual(refusal('Token has expired'));
  });

  test('with a token without a role', async () => {
    const apikey = await target.tokenWith({ sub: 'alice', exp: secondsFromNow(60) });
    expect(await refusedHandshake({ apikey })).toEqual(refusal('Fields `role` and `exp` are required in JWT'));
  });

  test.each(['3.0.0', '2.1.0', '1.1.0', 'abc', '', '2.0'])('in protocol “%s”', async (vsn) => {
    const refused = await refusedStatus({ apikey: target.anonKey, vsn });
    expect(refused).toBe(403);
  });

  test('after the delay', async () => {
    const sent = performance.now();
    await refusedHandshake({});
    expect(performance.now() - sent).toBeGreaterThan(target.facts.connectErrorDelayMs - 10);
  });
});

describe('a socket opens', () => {
  test('with a token signed with the right secret', async () => {
    const client = await target.connect(await target.tokenOf('alice'));
    expect(await client.rest()).toEqual([]);
  });

  test('in protocol 2.0.9, which differs in its last number alone', async () => {
    const ws = new WebSocket(target.address({ apikey: target.anonKey, vsn: '2.0.9' }));
    await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
    expect(ws.readyState).toBe(WebSocket.OPEN);
    ws.terminate();
  });
});
