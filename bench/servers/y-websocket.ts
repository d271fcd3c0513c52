// The server of y-websocket 1.5.4, as its own bin/server.js starts it: documents in memory, nothing stored.
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { WebSocketServer } from 'ws';
import { setupWSConnection } from 'y-websocket-server-1/bin/utils';
import { portOf, printAddress } from './server-address.ts';

const sockets = new WebSocketServer({ noServer: true });
sockets.on('connection', setupWSConnection);
const server = createServer();
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
printAddress({ url: `ws://127.0.0.1:${portOf(server.address())}` });
process.on('SIGTERM', () => process.exit(0));
