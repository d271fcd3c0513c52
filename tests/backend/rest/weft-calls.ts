// Every call that Weft makes, and its refusals, by people of every kind: what came back, with what differs from one run to
// the next replaced by names.
import { createHash, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { TestBackend } from '../../support/server/backend.ts';

type Answer = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
type Caller = (path: string, body: unknown, headers: Record<string, string>) => Promise<Answer>;
type Told = Answer & { readonly name: string; readonly who: string };

const createdLink = v.pipe(
  v.object({ link: v.object({ id: v.string() }), secret: v.string() }),
  v.transform(({ link, secret }) => ({ id: link.id, secret })),
);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d(?::\d\d)?)/g;

export async function callEverything(backend: TestBackend, call: Caller): Promise<readonly Told[]> {
  const { keys } = backend.server.database;
  const headersOf = async (email: string) => {
    const { client } = await backend.signUp(email, 'Somebody');
    const { data } = await client.auth.getSession();
    return { apikey: keys.anonKey, authorization: `Bearer ${data.session?.access_token}` };
  };
  const run = randomUUID();
  const people: Record<string, Record<string, string>> = {
    owner: await headersOf(`owner-${run}@example.com`),
    stranger: await headersOf(`stranger-${run}@example.com`),
    anon: { apikey: keys.anonKey },
    service: { apikey: keys.serviceRoleKey },
  };
  const told: Told[] = [];
  const labels = new Map<string, string>();
  const label = (id: string): string => {
    const known = labels.get(id) ?? `<id ${labels.size}>`;
    labels.set(id, known);
    return known;
  };
  const [workspace, document, child, session] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  for (const id of [workspace, document, child, session]) label(id);
  const steady = (body: string): string =>
    body
      .replaceAll(UUID, (id) => label(id))
      .replaceAll(TIME, '<time>')
      .replaceAll(/"(secret|slug|workspaceSlug)":"[^"]+"/g, '"$1":"<$1>"')
      .replaceAll(/"w:[\w-]+"/g, '"<topic>"')
      // Sessions stand in the rows as bytes.
      .replaceAll(/"rows":"([^"]*)"/g, (_, base64: string) => {
        const hex = Buffer.from(base64, 'base64').toString('hex');
        return [...labels].reduce((so, [id, name]) => so.replaceAll(id.replaceAll('-', ''), name), hex);
      });
  const ask = async (
    name: string,
    body: unknown,
    only: readonly string[] = Object.keys(people),
  ): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for (const who of only) {
      const answer = await call(name, body, people[who] ?? {});
      const { 'content-length': _, ...headers } = answer.headers;
      const value: unknown = answer.body === '' ? null : JSON.parse(answer.body);
      answers.push(value);
      told.push({ name, who, status: answer.status, headers, body: steady(JSON.stringify(value)) });
    }
    return answers;
  };
  const owner = ['owner'];
  await ask('update_profile', { display_name: 'Ada', color: 'indigo' });
  await ask('update_profile', { display_name: ' ', color: 'none' }, owner);
  await ask('create_workspace', { id: workspace, name: 'Team', document }, owner);
  await ask('create_workspace', { id: workspace, name: 'Team', document }, ['stranger', 'anon', 'service']);
  await ask('create_document', { id: child, workspace, parent: document, rank: 'a1' });
  await ask('list_documents', { workspace });
  await ask('open_document', { document, since: 0 });
  await ask('start_session', { document, session, client_id: 4711, schema_version: 1 });
  const append = {
    document,
    session,
    n_from: 1,
    n_to: 1,
    update: Buffer.from([1, 2, 3, 255]).toString('base64'),
    dependencies: [],
    known_seq: 1,
    schema_version: 1,
    live_peers: 0,
  };
  await ask('append_update', append);
  await ask('append_update', { ...append, live_peers: 2 }, owner);
  await ask('append_update', { ...append, n_from: 2, n_to: 3, live_peers: 2, known_seq: 0 }, owner);
  await ask('append_update', { ...append, n_from: 9, n_to: 9 }, owner);
  await ask('append_update', { ...append, update: '%' }, owner);
  await ask('append_update', { ...append, dependencies: [{ session: 'x' }] }, owner);
  await ask('append_update', { ...append, document: 'x' }, owner);
  await ask('append_update', { ...append, schema_version: null }, owner);
  await ask('rows_since', { document, seq: 0, limit: 10 });
  await ask('keep_watching', { document, seq: 0 });
  await ask('session_info', { document, sessions: [session, randomUUID()] });
  await ask('publish_pending', { document });
  await ask('save_text', { document, seq: 3, title: 'Title', body_text: 'ü' });
  await ask('claim_snapshot', { document });
  const state = Buffer.from('state');
  const sha256 = createHash('sha256').update(state).digest('hex');
  await ask('save_snapshot', { document, seq: 3, state: state.toString('base64'), sha256 }, [
    'stranger',
    'anon',
    'owner',
  ]);
  await ask('set_document_member', { document, user: randomUUID(), role: 'editor' });
  const link = await ask('create_share_link', { document, role: 'viewer', expires_at: null }, [
    ...owner,
    'stranger',
    'anon',
  ]);
  const { id, secret } = v.parse(createdLink, link[0]);
  await ask('open_watch', { secret, since: 0 });
  await ask('open_watch', { secret: 'nonsense', since: 0 });
  const attachment = randomUUID();
  await ask('create_attachment', { id: attachment, document, name: 'a.png', mime: 'image/png', bytes: 3 });
  await ask('copy_attachment', { attachment, document, id: randomUUID() }, ['stranger', 'anon']);
  await ask('set_document_attachments', { document, seq: 3, ids: [] }, ['stranger', 'anon']);
  await ask('purge_attachments', {});
  await ask('redeem_share_link', { secret }, ['stranger', 'anon']);
  await ask('revoke_share_link', { link: id }, ['stranger', 'anon', 'owner']);
  await ask('open_watch', { secret, since: 0 }, ['anon']);
  return told;
}
