// y-websocket's provider, as its README uses it.
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';
import type { Border } from '../client-network.ts';
import type { ServerAddress } from '../servers/say-address.ts';
import type { Opened, System } from './system.ts';

export const yWebsocket = (server: ServerAddress): System => ({
  open: (document, border) => open(server.url, document, border),
  close: () => Promise.resolve(),
});

async function open(url: string, document: string, border: Border): Promise<Opened> {
  const doc = new Y.Doc();
  // Without the shortcut between tabs: all people of a measurement live in one process.
  const provider = new WebsocketProvider(url, document, doc, { WebSocketPolyfill: border.WebSocket, disableBc: true });
  await new Promise<void>((resolve) => provider.once('sync', () => resolve()));
  return {
    doc,
    awareness: provider.awareness,
    receipts: null,
    goOffline() {
      provider.disconnect();
      border.cut();
    },
    goOnline() {
      border.mend();
      provider.connect();
    },
    close: async () => {
      provider.destroy();
      doc.destroy();
    },
  };
}
