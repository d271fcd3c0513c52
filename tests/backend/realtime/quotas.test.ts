// The limits on all sockets together, and how events are counted.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import { RateMeter } from '../../../backend/realtime/limits/rate-meter.ts';
import { ANON_KEY, RealtimeServer, openRealtimeEngine } from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';
const PUBLIC = { private: false };
const TICK_MS = 50;
const refused = (reason: string) => ({ status: 'error', response: { reason } });
const aTick = () => new Promise((resolve) => setTimeout(resolve, 1.5 * TICK_MS));

describe('a rate meter', () => {
  test('averages the events so far, per second', () => {
    const meter = new RateMeter(5_000, 12);
    meter.add(100);
    expect(meter.average).toBe(0);
    meter.tick();
    // Its first tick came with the first event.
    expect(meter.average).toBe(10);
    meter.tick();
    expect(meter.average).toBeCloseTo(100 / 15);
  });

  test('covers a minute, and starts again after ten idle minutes', () => {
    const meter = new RateMeter(5_000, 12);
    meter.add(600);
    for (let n = 0; n < 11; n++) meter.tick();
    expect(meter.average).toBe(10);
    meter.tick();
    meter.tick();
    expect(meter.average).toBe(0);
    for (let n = 0; n < 120; n++) meter.tick();
    meter.add(100);
    meter.tick();
    expect(meter.average).toBe(10);
  });

  test('that has counted nothing does not lower a later average', () => {
    const meter = new RateMeter(1_000, 12);
    for (let n = 0; n < 20; n++) meter.tick();
    meter.add(10);
    meter.tick();
    expect(meter.average).toBe(5);
  });
});

describe('a server', () => {
  let pg: PostgresEngine;
  let server: RealtimeServer;
  beforeAll(async () => {
    pg = await openRealtimeEngine();
  });
  afterAll(() => pg.close());
  afterEach(() => server.close());

  async function statusOfHandshake(): Promise<unknown> {
    return server.connect(ANON_KEY).then(
      () => 'open',
      (error: unknown) => String(error),
    );
  }

  test('at its maximum of users admits only further channels of those users, until one of them leaves', async () => {
    server = await RealtimeServer.start(pg, { maxUsers: 1 });
    const [first, second] = [await server.connect(), await server.connect()];
    expect(await first.join(TOPIC, PUBLIC)).toMatchObject({ status: 'ok' });
    expect(await first.join(`${TOPIC}-2`, PUBLIC)).toMatchObject({ status: 'ok' });
    expect(await second.join(TOPIC, PUBLIC)).toEqual(refused('ConnectionRateLimitReached: Too many connected users'));
    expect(await statusOfHandshake()).toContain('429');
    await first.leave();
    expect(await second.join(TOPIC, PUBLIC)).toMatchObject({ status: 'ok' });
  });

  test('with too many joins closes the socket of the next join, and accepts no new socket', async () => {
    server = await RealtimeServer.start(pg, { maxJoinsPerSecond: 1, rateTickMs: TICK_MS });
    const client = await server.connect();
    await client.join(TOPIC, PUBLIC);
    await aTick();
    client.send(['2', '2', `${TOPIC}-2`, 'phx_join', { config: PUBLIC }]);
    expect(await client.next()).toEqual([
      '2',
      '2',
      `${TOPIC}-2`,
      'phx_reply',
      refused('ClientJoinRateLimitReached: Too many joins per second'),
    ]);
    expect(await client.closed).toBe(1001);
    expect(await statusOfHandshake()).toContain('429');
  });

  test('that allows only private channels refuses public ones', async () => {
    server = await RealtimeServer.start(pg, { privateOnly: true });
    const client = await server.connect();
    expect(await client.join(TOPIC, PUBLIC)).toEqual(refused('PrivateOnly: This project only allows private channels'));
  });

  test('with too many presence messages closes the channel of the next one', async () => {
    server = await RealtimeServer.start(pg, { maxPresenceEventsPerSecond: 1, rateTickMs: TICK_MS });
    const client = await server.connect();
    const config = { ...PUBLIC, presence: { key: 'ka', enabled: true } };
    await client.join(TOPIC, config);
    client.send(['1', '2', TOPIC, 'presence', { event: 'track', payload: { n: 1 } }]);
    await client.rest(TOPIC);
    await aTick();
    client.send(['1', '3', TOPIC, 'presence', { event: 'track', payload: { n: 2 } }]);
    const system = { message: 'Too many presence messages per second', status: 'error', extension: 'system' };
    expect(await client.upTo('phx_close')).toMatchObject([
      ['1', null, TOPIC, 'system', system],
      ['1', '1', TOPIC, 'phx_close', {}],
    ]);
    const other = await server.connect();
    await other.join(TOPIC, config);
    expect(await other.upTo('phx_close')).toMatchObject([
      ['1', null, TOPIC, 'system', system],
      ['1', '1', TOPIC, 'phx_close', {}],
    ]);
  });
});
