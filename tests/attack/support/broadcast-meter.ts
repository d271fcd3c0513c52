// In a thread of its own: two clients on one topic. One sends a broadcast every ten milliseconds, whatever happens, and the other
// notes how long each took. Posts the times of a stretch when it is asked.
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { assert } from '../../../src/lib/assert.ts';

const EVERY_MS = 10;
/** Realtime closes a socket that is silent for a minute. */
const HEARTBEAT_MS = 15_000;
const TOPIC = 'realtime:attacked';
const { url, key } = workerData;
const address = `${String(url).replace('http', 'ws')}/realtime/v1/websocket?${new URLSearchParams({ apikey: key, vsn: '2.0.0' })}`;

async function joined(): Promise<WebSocket> {
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify(['1', '1', TOPIC, 'phx_join', { config: { private: true } }]));
  await new Promise<void>((resolve) => {
    const wait = (data: unknown) => {
      const frame: unknown = JSON.parse(String(data));
      if (!Array.isArray(frame) || frame[3] !== 'phx_reply') return;
      assert(frame[4].status === 'ok', `the join was refused: ${String(data)}`);
      socket.off('message', wait);
      resolve();
    };
    socket.on('message', wait);
  });
  return socket;
}

const [sender, receiver] = await Promise.all([joined(), joined()]);
let times: number[] = [];
receiver.on('message', (data) => {
  const frame: unknown = JSON.parse(String(data));
  const sentAt: unknown = Array.isArray(frame) ? frame[4]?.payload?.sentAt : undefined;
  if (typeof sentAt === 'number') times.push(performance.now() - sentAt);
});
setInterval(() => {
  const message = { type: 'broadcast', event: 'tick', payload: { sentAt: performance.now() } };
  sender.send(JSON.stringify(['1', null, TOPIC, 'broadcast', message]));
}, EVERY_MS);

setInterval(() => {
  for (const socket of [sender, receiver]) socket.send(JSON.stringify([null, '0', 'phoenix', 'heartbeat', {}]));
}, HEARTBEAT_MS);

assert(parentPort !== null, 'this runs in a thread');
parentPort.on('message', () => {
  parentPort?.postMessage(times);
  times = [];
});
parentPort.postMessage('ready');
