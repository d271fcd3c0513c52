// A link that does not work says nothing about why: a wrong, revoked or expired secret and one of a page in the trash get the
// same answer after the same work.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createdLink } from '../../../src/protocol/answers.ts';
import { Refused, type Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

/** Calls per kind of secret. They take turns, so that load on the machine meets all alike. */
const ROUNDS = 40;

async function secretsOf(sql: Sql, fixture: WorkspaceFixture) {
  const { owner } = fixture.people;
  const link = (document: string) =>
    sql.ask(owner, createdLink, 'create_share_link', { document, role: 'viewer', expires_at: null });
  const [revoked, expired, trashed] = [await link(fixture.page), await link(fixture.page), await link(fixture.subpage)];
  await sql.call(owner, 'revoke_share_link', { link: revoked.link.id });
  await sql.rows(`update public.share_links set expires_at = now() - interval '1 second' where id = $1`, [
    expired.link.id,
  ]);
  await sql.call(owner, 'trash_document', { document: fixture.subpage });
  return {
    wrong: randomBytes(16).toString('base64url'),
    revoked: revoked.secret,
    expired: expired.secret,
    trashed: trashed.secret,
  };
}

const answerTo = async (sql: Sql, secret: string): Promise<unknown> => {
  try {
    return await sql.call('anon', 'open_watch', { secret, since: 0 });
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
};

test(
  'a secret that does not work is answered alike, word for word, whatever the reason',
  withWorkspace(async (sql, fixture) => {
    const { wrong, ...others } = await secretsOf(sql, fixture);
    const answer = await answerTo(sql, wrong);
    expect(answer).toMatchObject({ code: 'WF009' });
    for (const secret of Object.values(others)) expect(await answerTo(sql, secret)).toEqual(answer);
  }),
);

test(
  'and takes as long, so that no one can tell a link that once worked from one that never did',
  withWorkspace(async (sql, fixture) => {
    const secrets = Object.entries(await secretsOf(sql, fixture));
    const times = new Map<string, number[]>(secrets.map(([kind]) => [kind, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, secret] of secrets) {
        const start = performance.now();
        await answerTo(sql, secret);
        times.get(kind)?.push(performance.now() - start);
      }
    }
    const fastest = Array.from(times.values(), (all) => Math.min(...all));
    // The plan is the same, one index lookup. A difference that shows over a network would be far above this.
    expect(Math.max(...fastest) / Math.min(...fastest)).toBeLessThan(3);
  }),
);

test(
  'the answer to a link names its page and nothing of the workspace, and its document’s id opens nothing without the secret',
  withWorkspace(async (sql, fixture) => {
    const answer = await answerTo(sql, fixture.links.viewer.secret);
    expect(Object.keys(Object(answer)).sort()).toEqual(
      [
        'changedAt',
        'comments',
        'documentId',
        'expiresAt',
        'head',
        'history',
        'more',
        'presenting',
        'role',
        'rows',
        'schemaVersion',
        'snapshot',
        'title',
        'topic',
      ].sort(),
    );
    const text = JSON.stringify(answer);
    for (const hidden of [
      fixture.workspace,
      fixture.slug,
      fixture.subpage,
      ...Object.values(fixture.people).map(({ id }) => id),
    ])
      expect(text).not.toContain(hidden);
    for (const name of ['open_document', 'rows_since', 'rows_until', 'session_info', 'document_people']) {
      const args = { document: fixture.page, ...ARGUMENTS[name] };
      expect(await sql.outcome(() => sql.call('anon', name, args))).toBe('42501');
    }
  }),
);

const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  open_document: { since: 0 },
  rows_since: { seq: 0, row_limit: 1 },
  rows_until: { after: 0, until: 1 },
  session_info: { sessions: [] },
};
