// A page on a whole embedded backend, a share link to it, and people who write in it with real sessions.
import * as v from 'valibot';
import { BLOCK, bodyOf, titleOf } from 'weft-document/names.ts';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { openSession } from 'weft-sync/session/session.ts';
import * as Y from 'yjs';
import { createdLink } from '../../../src/protocol/answers.ts';
import type { LinkId } from '../../../src/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { type Person, type TestBackend, startTestBackend } from './backend.ts';
import { newPage, rpc } from './rpc.ts';
import { supabasePorts } from './supabase-ports.ts';

export class WatchedPage {
  readonly backend: TestBackend;
  readonly id: DocumentId;
  /** The share link's address. */
  readonly link: string;
  readonly #linkId: LinkId;
  readonly #owner: Person;
  readonly #sessions: Session[] = [];

  private constructor(backend: TestBackend, owner: Person, id: DocumentId, link: { id: LinkId; secret: string }) {
    this.backend = backend;
    this.id = id;
    this.link = `${backend.url}/s#${link.secret}`;
    this.#linkId = link.id;
    this.#owner = owner;
  }

  static async onNewBackend(): Promise<WatchedPage> {
    return WatchedPage.on(await startTestBackend());
  }

  static async on(backend: TestBackend): Promise<WatchedPage> {
    const owner = await backend.signUp();
    const id = await newPage(owner.client);
    const args = { document: id, role: 'viewer', expires_at: null };
    const created = v.parse(createdLink, await rpc(owner.client, 'create_share_link', args));
    return new WatchedPage(backend, owner, id, { id: created.link.id, secret: created.secret });
  }

  /** Someone with the page open. */
  async writer(name = 'alice'): Promise<Writer> {
    const person = await this.backend.signUp(`${name}.${this.id}@example.com`, name);
    await rpc(this.#owner.client, 'set_document_member', { document: this.id, person: person.id, role: 'editor' });
    const user = parseUserId(person.id);
    if (user === null) throw new Error('malformed id');
    const session = openSession(this.id, {
      user,
      schemaVersion: SCHEMA_VERSION,
      liveUpdates: true,
      ports: supabasePorts(person.client),
    });
    this.#sessions.push(session);
    await changed(session, () => session.getView().editable);
    return new Writer(session);
  }

  /** The address of another link to the page. */
  async linkTo(role: 'commenter' | 'editor'): Promise<string> {
    const args = { document: this.id, role, expires_at: null };
    const { secret } = v.parse(createdLink, await rpc(this.#owner.client, 'create_share_link', args));
    return `${this.backend.url}/s#${secret}`;
  }

  revoke(): Promise<unknown> {
    return rpc(this.#owner.client, 'revoke_share_link', { link: this.#linkId });
  }

  /** The number of the last change. */
  async head(): Promise<number> {
    return (await this.rowsAfter(0)).at(-1)?.seq ?? 0;
  }

  /** Rows of the log, with the database's time in milliseconds since 1970. */
  async rowsAfter(seq: number) {
    const { rows } = await this.backend.pg.query(
      `select seq::int, floor(extract(epoch from created_at) * 1000)::float8 as at
       from public.document_updates where document_id = $1 and seq > $2 order by seq`,
      [this.id, seq],
    );
    return v.parse(v.array(v.object({ seq: v.number(), at: v.number() })), rows);
  }

  async close(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.close()));
    await this.backend.close();
  }
}

export class Writer {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Each call is one change, and resolves when it is durable. */
  async addParagraph(text: string): Promise<void> {
    await this.#edit((doc) => {
      const block = new Y.XmlElement(BLOCK);
      block.setAttribute('id', `block-${bodyOf(doc).length}`);
      block.insert(0, [new Y.XmlText(text)]);
      bodyOf(doc).push([block]);
    });
  }

  /** Appends to the last paragraph. */
  async type(text: string): Promise<void> {
    await this.#edit((doc) => {
      const last = bodyOf(doc).get(bodyOf(doc).length - 1);
      const child = last instanceof Y.XmlElement ? last.get(0) : null;
      if (!(child instanceof Y.XmlText)) throw new Error('no paragraph');
      child.insert(child.length, text);
    });
  }

  async removeFirst(): Promise<void> {
    await this.#edit((doc) => bodyOf(doc).delete(0, 1));
  }

  async setTitle(text: string): Promise<void> {
    await this.#edit((doc) => {
      titleOf(doc).delete(0, titleOf(doc).length);
      titleOf(doc).insert(0, text);
    });
  }

  async #edit(edit: (doc: Y.Doc) => void): Promise<void> {
    const { session } = this;
    session.doc.transact(() => edit(session.doc));
    await changed(session, () => session.getView().receipt === 'saved');
  }
}

function changed(session: Session, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isTrue()) return;
      stop();
      resolve();
    };
    const stop = session.subscribe(check);
    check();
  });
}
