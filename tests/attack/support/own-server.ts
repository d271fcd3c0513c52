// A backend in a process of its own, so that its event loop serves nobody but its clients. Limits per address apply to this
// machine too. Sends its address and key, and ends when its parent disconnects.
import process from 'node:process';
import { startServer } from '../../../backend/http/server.ts';

const server = await startServer({
  port: 0,
  host: '127.0.0.1',
  dir: null,
  databaseUrl: process.argv[2],
  limits: { forLoopback: true },
  log: () => {},
});
process.once('disconnect', () => void server.close());
process.send?.({ url: server.url, key: server.anonKey });
