// An account and its workspaces and links, created through the API: for tests that do not test the screens for that.
import { randomBytes, randomUUID } from 'node:crypto';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { projectKey } from '../../../src/platform/supabase/client.ts';
import { tokenKey } from '../../../src/platform/supabase/remembered-identity.ts';
import { createdLink, createdWorkspace } from '../../../src/protocol/answers.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { acceptedInvite, createdInvite } from '../../../src/protocol/people-answers.ts';
import { inviteAddress, linkAddress, pagePath, workspacePath } from '../../../src/state/workspace/page-address.ts';
import { rpc } from './rpc.ts';

/** The password of everyone who signs up. */
export const PASSWORD = 'correct horse battery';

/** An empty `url` is the app's own. */
const configForm = v.object({ url: v.string(), anonKey: v.string() });

export const newEmail = (name: string): string =>
  `${name.toLowerCase()}.${randomBytes(4).toString('hex')}@weft.example`;

export class Account {
  readonly url: string;
  readonly email: string;
  /** Calls the API as this person. */
  readonly client: SupabaseClient;
  /** The app's stored sign-in, by its key in localStorage. */
  readonly stored: readonly [key: string, session: string];
  #workspace: string | null = null;

  private constructor(url: string, email: string, client: SupabaseClient, stored: Account['stored']) {
    this.url = url;
    this.email = email;
    this.client = client;
    this.stored = stored;
  }

  /** Signs up a person with this name and a unique email address. `url` is the app's. */
  static async create(url: string, name: string): Promise<Account> {
    const config = v.parse(configForm, await (await fetch(`${url}/config.json`)).json());
    const project = { url: config.url === '' ? url : config.url, anonKey: config.anonKey };
    const email = newEmail(name);
    const client = createClient(project.url, project.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    const { data, error } = await client.auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { display_name: name } },
    });
    if (error !== null) throw error;
    return new Account(url, email, client, [tokenKey(projectKey(project)), JSON.stringify(data.session)]);
  }

  /** Returns the address of its first page. */
  async createWorkspace(name: string): Promise<string> {
    const ids = { id: randomUUID(), document: randomUUID() };
    const answer = await rpc(this.client, 'create_workspace', { ...ids, name, schema_version: SCHEMA_VERSION });
    const { workspace, document } = v.parse(createdWorkspace, answer);
    this.#workspace = workspace.id;
    return `${this.url}${pagePath(workspace.slug, { id: document, title: '' })}`;
  }

  /** Returns the address of a share link to a page. */
  async createLink(document: string, role: 'viewer' | 'commenter' | 'editor', history = false): Promise<string> {
    const { secret } = v.parse(
      createdLink,
      await rpc(this.client, 'create_share_link', { document, role, expires_at: null, history }),
    );
    return linkAddress(this.url, secret);
  }

  /** Returns the address of an invitation to the workspace that this account created last. */
  async createInviteLink(): Promise<string> {
    const args = { workspace: this.#workspace, role: 'member', email: null, document: null, document_role: null };
    const answer = await rpc(this.client, 'create_invite', { ...args, expires_at: null, max_uses: null });
    return inviteAddress(this.url, v.parse(createdInvite, answer).secret);
  }

  /** Accepts an invitation and returns the address of its workspace. */
  async join(invitation: string): Promise<string> {
    const secret = new URL(invitation).hash.slice(1);
    const { workspaceSlug } = v.parse(acceptedInvite, await rpc(this.client, 'accept_invite', { secret }));
    return `${this.url}${workspacePath(workspaceSlug)}`;
  }
}
