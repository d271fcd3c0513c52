// Bare sockets: everyone else receives what one sends. The lower bound of every broadcast.
import { once } from 'node:events';
import process from 'node:process';
import { WebSocketServer } from 'ws';
import { portOf, sayAddress } from './say-address.ts';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    for (const other of server.clients) if (other !== socket) other.send(data, { binary: isBinary });
  });
});
await once(server, 'listening');
sayAddress({ url: `ws://127.0.0.1:${portOf(server.address())}` });
process.on('SIGTERM', () => process.exit(0));
