// The systems by name. "weft-rows" is Weft without live updates; "sockets" and "no-sync" are lower bounds without documents.
import type { ServerAddress } from '../servers/server-address.ts';
import { hocuspocus } from './hocuspocus.ts';
import type { System } from './system.ts';
import { Weft } from './weft.ts';
import { ySupabase } from './y-supabase.ts';
import { yWebsocket } from './y-websocket.ts';

export const SYSTEMS = ['weft', 'weft-rows', 'y-websocket', 'hocuspocus', 'y-supabase', 'sockets', 'no-sync'] as const;
export type SystemName = (typeof SYSTEMS)[number];
export type ServerName = 'weft' | 'y-websocket' | 'hocuspocus' | 'sockets';

/** The server that a system's clients talk to. */
export const SERVER_OF: { readonly [name in SystemName]: ServerName } = {
  weft: 'weft',
  'weft-rows': 'weft',
  'y-websocket': 'y-websocket',
  hocuspocus: 'hocuspocus',
  'y-supabase': 'weft',
  sockets: 'sockets',
  // Needs no server.
  'no-sync': 'sockets',
};

export function connect(name: SystemName, server: ServerAddress): System {
  switch (name) {
    case 'weft':
      return new Weft(server, { liveUpdates: true });
    case 'weft-rows':
      return new Weft(server, { liveUpdates: false });
    case 'y-websocket':
      return yWebsocket(server);
    case 'hocuspocus':
      return hocuspocus(server);
    case 'y-supabase':
      return ySupabase(server);
    case 'sockets':
    case 'no-sync':
      return {
        open: () => Promise.reject(new Error(`${name} knows no documents`)),
        close: () => Promise.resolve(),
      };
  }
}
