// Hocuspocus's provider with its defaults.
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { Awareness } from 'y-protocols/awareness';
import * as Y from 'yjs';
import type { Border } from '../client-network.ts';
import type { ServerAddress } from '../servers/say-address.ts';
import type { Opened, System } from './system.ts';

export const hocuspocus = (server: ServerAddress): System => ({
  open: (document, border) => open(server.url, document, border),
  close: () => Promise.resolve(),
});

async function open(url: string, name: string, border: Border): Promise<Opened> {
  const doc = new Y.Doc();
  const awareness = new Awareness(doc);
  const socket = new HocuspocusProviderWebsocket({ url, WebSocketPolyfill: border.WebSocket });
  const provider = new HocuspocusProvider({ websocketProvider: socket, name, document: doc, awareness });
  const synced = new Promise<void>((resolve) => provider.on('synced', () => resolve()));
  provider.attach();
  await synced;
  return {
    doc,
    awareness,
    // Sent when the server has it in its memory; it is stored two to ten seconds later.
    receipts: { unsent: () => provider.unsyncedChanges, subscribe: (run) => void provider.on('unsyncedChanges', run) },
    goOffline() {
      socket.disconnect();
      border.cut();
    },
    goOnline() {
      border.mend();
      void socket.connect();
    },
    close: async () => {
      provider.destroy();
      socket.destroy();
      doc.destroy();
    },
  };
}
