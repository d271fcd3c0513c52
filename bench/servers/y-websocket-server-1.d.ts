// y-websocket 1 ships its server without types.
declare module 'y-websocket-server-1/bin/utils' {
  import type { IncomingMessage } from 'node:http';
  import type { WebSocket } from 'ws';

  export function setupWSConnection(socket: WebSocket, request: IncomingMessage): void;
}
