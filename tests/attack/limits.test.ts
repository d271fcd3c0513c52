// Limits that are counted, called at the same time, and names that are not what they look like.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type Person, type TestBackend, startTestBackend } from '../support/server/backend.ts';

let backend: TestBackend;
let mallory: Person;
beforeAll(async () => {
  backend = await startTestBackend();
  mallory = await backend.signUp();
});
afterAll(() => backend.close());

test('60 requests for access at once store 20 at most', async () => {
  const ask = () => mallory.client.rpc('request_access', { document: randomUUID(), role: 'viewer', note: '' });
  await Promise.all(Array.from({ length: 60 }, ask));
  const { rows } = await backend.pg.query('select from weft.request_attempts where user_id = $1', [mallory.id]);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThanOrEqual(20);
});

test('no name turns the direction of text or hides characters, however it is given', async () => {
  const hidden = 'Ad\u200ba\u202egnp.exe';
  const name = 'Adagnp.exe';
  const options = { data: { display_name: hidden } };
  const signedUp = await mallory.client.auth.signUp({ email: 'hidden@example.com', password: PASSWORD, options });
  expect(signedUp.error).toBeNull();
  const guest = await backend.guest(hidden);
  const ids = [signedUp.data.user?.id, guest.id];
  const { rows } = await backend.pg.query('select display_name from public.profiles where id = any ($1)', [ids]);
  expect(rows).toEqual([{ display_name: name }, { display_name: name }]);
  const profile = await guest.client.rpc('update_profile', { display_name: hidden, color: 'rust' });
  expect(profile.data).toMatchObject({ displayName: name });
  const made = await guest.client.rpc('create_workspace', { id: randomUUID(), name: hidden, document: randomUUID() });
  expect(made.data).toMatchObject({ workspace: { name } });
});
