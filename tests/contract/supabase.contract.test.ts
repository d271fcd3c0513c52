// A Supabase project through supabase-js passes the same contracts as the memory server. It is the embedded backend, or
// the project that SUPABASE_URL names.
import { randomUUID } from 'node:crypto';
import { type SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { supabaseLog, supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { createdLink } from '../../src/protocol/answers.ts';
import type { Person } from '../support/server/backend.ts';
import { rpc } from '../support/server/rpc.ts';
import type { Member, ContractFixture } from './contract-fixture.ts';
import { linkContract } from './link/link.contract.ts';
import { logContract } from './log/log.contract.ts';
import { type Project, startProject } from './project.ts';
import { stageContract } from './stage/stage.contract.ts';

let project: Project | undefined;
let people: { owner: Person; editor: Person; other: Person; viewer: Person; outsider: Person };
let anon: SupabaseClient;

beforeAll(async () => {
  project = await startProject();
  // One after the other, because hosted projects limit sign-ups.
  const [owner, editor] = [await project.signUp(), await project.signUp()];
  const [other, viewer, outsider] = [await project.signUp(), await project.signUp(), await project.signUp()];
  people = { owner, editor, other, viewer, outsider };
  anon = project.anonClient();
});
afterAll(() => project?.close());

function must<T>(value: T | null): T {
  if (value === null) throw new Error('malformed id');
  return value;
}

const member = ({ id, client }: Person): Member => ({
  user: must(parseUserId(id)),
  log: supabaseLog(client),
  link: supabaseLink(client),
});

async function newFixture(): Promise<ContractFixture> {
  const { owner, editor, other, viewer, outsider } = people;
  const document = must(parseDocumentId(randomUUID()));
  await rpc(owner.client, 'create_workspace', { id: randomUUID(), name: 'Contract', document });
  const setRole = (user: string, role: string | null) =>
    rpc(owner.client, 'set_document_member', { document, person: user, role });
  await setRole(editor.id, 'editor');
  await setRole(other.id, 'editor');
  await setRole(viewer.id, 'viewer');
  const link = v.parse(
    createdLink,
    await rpc(owner.client, 'create_share_link', { document, role: 'viewer', expires_at: null }),
  );
  return {
    document,
    editor: member(editor),
    other: member(other),
    viewer: member(viewer),
    outsider: member(outsider),
    watchLog: supabaseWatchLog(anon),
    anonLink: supabaseLink(anon),
    secret: link.secret,
    revokeLink: async () => void (await rpc(owner.client, 'revoke_share_link', { link: link.link.id })),
    removeViewer: async () => void (await setRole(viewer.id, null)),
    setOther: async (role) => void (await setRole(other.id, role)),
  };
}

logContract(newFixture);
stageContract(newFixture);
linkContract(newFixture);

/** How the server answers a join of a public channel. */
async function joinPublic(client: SupabaseClient): Promise<string> {
  const channel = client.channel(`d:${randomUUID()}:1.1`, { config: { private: false } });
  const answer = await new Promise<string>((resolve) => {
    channel.subscribe((status, error) => resolve(`${status} ${error?.message}`));
  });
  await client.removeChannel(channel);
  return answer;
}

// On public channels everyone with the public key could send to everyone. It runs together with the last test of the
// link's contract: both wait five seconds for refusals.
test.concurrent('the project takes private channels only (Realtime → Settings), and everything here works so', async () => {
  for (const answer of await Promise.all([joinPublic(people.editor.client), joinPublic(anon)])) {
    expect(answer).toContain('CHANNEL_ERROR');
    expect(answer).toContain('PrivateOnly');
  }
});
