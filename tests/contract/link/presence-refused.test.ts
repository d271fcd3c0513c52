// The server refuses a session's presence for a while, as it does above its limits.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { liveTopic } from 'weft-sync/protocol/topics.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { startTestBackend } from '../../support/server/backend.ts';
import { RecordingChannel, newSession, until } from '../contract-fixture.ts';

test('[LK8] a session whose presence was refused is listed as soon as the server has room for it', async () => {
  const backend = await startTestBackend({ realtimeLimits: { maxPresencesPerSocket: 1 } });
  const { client, id } = await backend.signUp();
  const other = backend.anonClient();
  const { data } = await client.auth.getSession();
  if (data.session !== null) await other.auth.setSession(data.session);
  const user = parseUserId(id);
  if (user === null) throw new Error('malformed id');
  const newTopic = async () => {
    const document = parseDocumentId(randomUUID());
    if (document === null) throw new Error('malformed id');
    const { error } = await client.rpc('create_workspace', { id: randomUUID(), name: 'Full', document });
    expect(error).toBeNull();
    return liveTopic(document, '1.1');
  };
  const [first, second] = [await newTopic(), await newTopic()];
  const answers: string[] = [];
  const newChannel = client.channel.bind(client);
  client.channel = (...args) => {
    const channel = newChannel(...args);
    const track = channel.track.bind(channel);
    channel.track = async (...state) => {
      const answer = await track(...state);
      answers.push(answer);
      return answer;
    };
    return channel;
  };
  const link = supabaseLink(client);
  const session = newSession();
  const occupied = await new RecordingChannel(link, first, newSession()).joined();
  await until(() => occupied.peers.length === 1);
  const refused = await new RecordingChannel(link, second, session).joined();
  const observer = await new RecordingChannel(supabaseLink(other), second, newSession()).joined();
  await until(() => observer.peers.length === 1);
  // Otherwise the server might read the request only after there is room.
  await until(() => answers.length === 2);
  expect(answers).toEqual(['ok', 'error']);
  expect(observer.peers).not.toContain(session);
  occupied.channel.leave();
  await until(() => observer.peers.includes(session));
  expect(refused.events).toEqual(['joined']);
  expect(answers.at(-1)).toBe('ok');
  refused.channel.leave();
  observer.channel.leave();
  await backend.close();
});
