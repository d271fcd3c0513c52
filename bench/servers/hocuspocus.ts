// A Hocuspocus server that stores as its database extension does: the whole state, two seconds after the last edit. Here it
// stores into memory.
import process from 'node:process';
import { Server } from '@hocuspocus/server';
import * as Y from 'yjs';
import { printAddress } from './server-address.ts';

const stored = new Map<string, Uint8Array>();
const server = new Server({
  port: 0,
  address: '127.0.0.1',
  quiet: true,
  stopOnSignals: false,
  onLoadDocument: async ({ document, documentName }) => {
    const state = stored.get(documentName);
    if (state !== undefined) Y.applyUpdate(document, state);
  },
  onStoreDocument: async ({ document, documentName }) => {
    stored.set(documentName, Y.encodeStateAsUpdate(document));
  },
});
await server.listen();
printAddress({ url: `ws://127.0.0.1:${server.address.port}` });
process.on('SIGTERM', () => process.exit(0));
