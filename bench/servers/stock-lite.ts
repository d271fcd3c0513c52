// @supabase/lite on PGlite as it comes, with Weft's database behind it: what our backend is compared with.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { STOCK_ANON_KEY, openStockLite } from '../../tests/backend/lite/stock-lite.ts';
import { portOf, sayAddress } from './say-address.ts';

const { fetch } = await openStockLite();
const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
sayAddress({ url: `http://127.0.0.1:${portOf(server.address())}`, anonKey: STOCK_ANON_KEY });
process.on('SIGTERM', () => process.exit(0));

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await buffer(incoming);
  const { method = 'GET', rawHeaders, url = '/' } = incoming;
  const headers = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
    rawHeaders[2 * at] ?? '',
    rawHeaders[2 * at + 1] ?? '',
  ]);
  const request = new Request(`http://127.0.0.1${url}`, {
    method,
    headers,
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  const response = await fetch(request, '127.0.0.1');
  outgoing
    .writeHead(response.status, Object.fromEntries(response.headers))
    .end(Buffer.from(await response.arrayBuffer()));
}
