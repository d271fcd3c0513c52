// The memory of a body while the gateway reads it.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { expect, test } from 'vitest';
import { BodyReader } from '../../../backend/gateway/body-reader.ts';
import { DEFAULT_LIMITS } from '../../../backend/gateway/limits.ts';

test('each part is freed as soon as it is read', async () => {
  const sent = JSON.stringify('äöü\\"'.repeat(300_000));
  const reader = new BodyReader(DEFAULT_LIMITS);
  const parts: Uint8Array[] = [];
  const echo = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    incoming.on('data', (part: Uint8Array) => parts.push(part));
    const done = new Promise<void>((resolve) => void outgoing.once('close', resolve));
    const body = await reader.read(incoming, { caller: null, limits: DEFAULT_LIMITS.body, done });
    outgoing.end(body?.ok === true ? body.value : 'refused');
  };
  const server = createServer((incoming, outgoing) => void echo(incoming, outgoing));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: sent });
  expect((await answer.text()) === sent).toBe(true);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.filter(({ length }) => length > 0)).toEqual([]);
  server.close();
});
