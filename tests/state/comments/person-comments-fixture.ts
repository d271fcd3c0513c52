// A person who has a page open and looks at its comments, on the memory server.
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Identity } from '../../../src/ports/account.ts';
import type { CommentBody } from '../../../src/protocol/comments.ts';
import type { CommentId } from '../../../src/protocol/ids.ts';
import type { PageComments } from '../../../src/state/comments/page-comments.ts';
import { textOfBody } from '../../../src/state/comments/text-of-body.ts';
import { alice, appFixture, documentId, northquay } from '../../support/app/app-fixture.ts';
import { personOf } from '../../support/app/render-in-app.tsx';

export const PAGE = documentId(1);

export async function withComments(start: Parameters<typeof appFixture>[0] & { readonly me?: Identity } = {}) {
  const fixture = appFixture({ ...start, signIn: { status: 'signedIn', identity: start.me ?? alice } });
  const { clock } = fixture;
  await clock.run(10);
  const me = personOf(fixture);
  const { value: workspace } = me.workspaces.acquire(northquay.id);
  await clock.run(10);
  const lease = me.pages.acquire(PAGE);
  const page = lease.value;
  await clock.run(10);
  const comments = (): PageComments => {
    const loaded = me.store.get(page.commentsAtom);
    if (loaded === null) throw new Error('the code for comments is not loaded');
    return loaded;
  };
  /** From now on someone looks at the comments. */
  const stopLooking = me.store.sub(comments().viewAtom, () => undefined);
  await clock.run(200);
  const view = () => me.store.get(comments().viewAtom);
  const firstThread = () => {
    const [thread] = view().threads;
    if (thread === undefined) throw new Error('no thread is shown');
    return thread;
  };
  return {
    fixture,
    clock,
    me,
    workspace,
    lease,
    page,
    comments,
    stopLooking,
    view,
    firstThread,
    /** The texts and states of each thread. */
    shown: () => view().threads.map(({ comments: all }) => all.map(({ body, state }) => [wordsOf(body), state])),
    setSession: (change: Parameters<NonNullable<ReturnType<typeof fixture.sessions.get>>['setView']>[0]) =>
      fixture.sessions.get(PAGE)?.setView(change),
    receipt: () => {
      const { receipt, unsent, refusedComments } = page.getView();
      return [receipt, unsent.edits, ...(refusedComments === undefined ? [] : [refusedComments])];
    },
    calls: () => fixture.server.calls.filter((name) => /omment|Thread|Reaction/.test(name)),
    /** What the server tells everyone who may see the page. */
    tell: () => fixture.stream.sendChange({ kind: 'comment', op: 'changed', id: PAGE, workspace: northquay.id }),
    refuse: (call: string, code: Parameters<typeof weftError>[0]) => fixture.server.refusals.set(call, weftError(code)),
  };
}

export const wordsOf = (body: CommentBody | null): string | null => (body === null ? null : textOfBody(body));

export const commentOf = (thread: { readonly comments: readonly { readonly id: CommentId }[] }, at = 0): CommentId => {
  const comment = thread.comments[at];
  if (comment === undefined) throw new Error('no such comment');
  return comment.id;
};
