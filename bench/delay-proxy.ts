// A proxy that delays every byte by `--ms` in both directions. A new connection costs one round trip before its first byte,
// as TCP's handshake does.
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { printAddress } from './servers/server-address.ts';

const { values } = parseArgs({ options: { to: { type: 'string' }, ms: { type: 'string' }, key: { type: 'string' } } });
const target = new URL(values.to ?? '');
const delayMs = Number(values.ms);

const proxy = createServer({ noDelay: true }, (near) => {
  const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
  pass(near, far, 2 * delayMs);
  pass(far, near, 0);
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
const address = proxy.address();
if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port');
printAddress({ url: `${target.protocol}//127.0.0.1:${address.port}`, anonKey: values.key ?? '' });
process.on('SIGTERM', () => process.exit(0));

/** Timers of equal length fire in the order they were set, so nothing is reordered. */
function pass(from: Socket, to: Socket, firstMs: number): void {
  let readyAt = performance.now() + firstMs;
  from.on('data', (chunk) => {
    readyAt = Math.max(readyAt, performance.now());
    setTimeout(() => to.write(chunk), readyAt - performance.now() + delayMs);
  });
  from.on('close', () => setTimeout(() => to.destroy(), delayMs));
  from.on('error', () => from.destroy());
}
