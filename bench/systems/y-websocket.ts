// y-websocket's provider, as its README uses it.
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import type { ClientNetwork } from '../client-network.ts';
import type { ServerAddress } from '../servers/say-address.ts';
import type { Opened, System } from './system.ts';

export const yWebsocket = (server: ServerAddress): System => ({
  open: (document, network) => open(server.url, document, network),
  close: () => Promise.resolve(),
});

async function open(url: string, document: string, network: ClientNetwork): Promise<Opened> {
  const doc = new Y.Doc();
  // Without BroadcastChannel: all people of a measure live in one process.
  const provider = new WebsocketProvider(url, document, doc, { WebSocketPolyfill: network.WebSocket, disableBc: true });
  await new Promise<void>((resolve) => provider.once('sync', () => resolve()));
  return {
    doc,
    awareness: provider.awareness,
    receipts: null,
    goOffline() {
      provider.disconnect();
      network.cut();
    },
    goOnline() {
      network.mend();
      provider.connect();
    },
    close: async () => {
      provider.destroy();
      doc.destroy();
    },
  };
}
