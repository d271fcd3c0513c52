// The memory server passes the same contracts as the real one.
import { describe } from 'vitest';
import { browserClock } from 'weft-sync/browser/clock.ts';
import { SEED_CLIENT_ID } from 'weft-sync/protocol/ids.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import * as Y from 'yjs';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { DOCUMENT, SECRET, userId } from '../sync/sync-harness.ts';
import type { Member, ContractFixture } from './contract-fixture.ts';
import { linkContract } from './link/link.contract.ts';
import { logContract } from './log/log.contract.ts';
import { stageContract } from './stage/stage.contract.ts';

async function newFixture(): Promise<ContractFixture> {
  const server = new MemoryServer(browserClock, SCHEMA_VERSION);
  const seed = new Y.Doc();
  seed.clientID = SEED_CLIENT_ID;
  seed.getText('t').insert(0, 'seed');
  server.createDocument(DOCUMENT, new Uint8Array(Y.encodeStateAsUpdate(seed)));
  server.createLink(DOCUMENT, SECRET);
  const roles = ['editor', 'editor', 'viewer'] as const;
  for (const [at, role] of roles.entries()) server.setRole(DOCUMENT, userId(at + 1), role);
  const member = (n: number): Member => ({
    user: userId(n),
    log: server.log(userId(n)),
    link: server.hub.link(userId(n)),
  });
  return {
    document: DOCUMENT,
    editor: member(1),
    other: member(2),
    viewer: member(3),
    outsider: member(4),
    watchLog: server.watchLog(),
    anonLink: server.hub.link(null),
    secret: SECRET,
    revokeLink: async () => server.revokeLink(SECRET),
    removeViewer: async () => server.setRole(DOCUMENT, userId(3), null),
    setOther: async (role) => server.setRole(DOCUMENT, userId(2), role),
  };
}

// At the same time: each test has a server of its own, and most of the time is waiting.
describe.concurrent('the memory server', () => {
  logContract(newFixture);
  linkContract(newFixture);
  stageContract(newFixture);
});
