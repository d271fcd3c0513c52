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

  test('with the key in a header', async () => {
    const ws = new WebSocket(target.address({ vsn: '2.0.0' }), { headers: { 'x-api-key': target.serviceKey } });
    await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
    expect(ws.readyState).toBe(WebSocket.OPEN);
    ws.terminate();
  });

  test('in protocol 1.0.0 by default', async () => {
    const ws = new WebSocket(target.address({ apikey: target.serviceKey }));
    await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
    ws.send('{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}');
    const answer = await new Promise((resolve) => ws.once('message', (data) => resolve(JSON.parse(String(data)))));
    expect(answer).toEqual({ ref: '1', event: 'phx_reply', topic: 'phoenix', payload: { status: 'ok', response: {} } });
    ws.terminate();
  });
});
