// Hocuspocus's provider with its defaults.
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { Awareness } from 'y-protocols/awareness';
import * as Y from 'yjs';
import type { ClientNetwork } from '../client-network.ts';
import type { ServerAddress } from '../servers/server-address.ts';
import type { OpenedDocument, System } from './system.ts';

export const hocuspocus = (server: ServerAddress): System => ({
  open: (document, network) => open(server.url, document, network),
  close: () => Promise.resolve(),
});

async function open(url: string, name: string, network: ClientNetwork): Promise<OpenedDocument> {
  const doc = new Y.Doc();
  const awareness = new Awareness(doc);
  const socket = new HocuspocusProviderWebsocket({ url, WebSocketPolyfill: network.WebSocket });
  const provider = new HocuspocusProvider({ websocketProvider: socket, name, document: doc, awareness });
  const synced = new Promise<void>((resolve) => provider.on('synced', () => resolve()));
  provider.attach();
  await synced;
  return {
    doc,
    awareness,
    // Sent when the server has the edit in memory; it is stored two to ten seconds later.
    receipts: { unsent: () => provider.unsyncedChanges, subscribe: (run) => void provider.on('unsyncedChanges', run) },
    goOffline() {
      socket.disconnect();
      network.cut();
    },
    goOnline() {
      network.restore();
      void socket.connect();
    },
    close: async () => {
      provider.destroy();
      socket.destroy();
      doc.destroy();
    },
  };
}
