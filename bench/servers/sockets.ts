// A server that sends every message to all other sockets, and does nothing else: the lower bound for broadcasts.
import { once } from 'node:events';
import process from 'node:process';
import { WebSocketServer } from 'ws';
import { portOf, printAddress } from './server-address.ts';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    for (const other of server.clients) if (other !== socket) other.send(data, { binary: isBinary });
  });
});
await once(server, 'listening');
printAddress({ url: `ws://127.0.0.1:${portOf(server.address())}` });
process.on('SIGTERM', () => process.exit(0));
