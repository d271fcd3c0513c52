// y-websocket's provider, as its README uses it.
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import type { ClientNetwork } from '../client-network.ts';
import type { ServerAddress } from '../servers/server-address.ts';
import type { OpenedDocument, System } from './system.ts';

export const yWebsocket = (server: ServerAddress): System => ({
  open: (document, network) => open(server.url, document, network),
  close: () => Promise.resolve(),
});

async function open(url: string, document: string, network: ClientNetwork): Promise<OpenedDocument> {
  const doc = new Y.Doc();
  // Without BroadcastChannel: all people of a benchmark share one process.
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
      network.restore();
      provider.connect();
    },
    close: async () => {
      provider.destroy();
      doc.destroy();
    },
  };
}
