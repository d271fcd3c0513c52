// Access to pages, and requests for it, in memory, for the views.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { Result } from '../../../src/lib/result.ts';
import type { PageAccess } from '../../../src/ports/workspace.ts';
import type { AccessRequest, Closure, PagePeople } from '../../../src/protocol/people-answers.ts';

export function memoryAccess(
  answer: <T>(name: string, value: () => T) => Promise<Result<T, WeftError>>,
  revokeLinks: () => void,
) {
  const state = {
    people: {
      access: 'workspace',
      resolvedAccess: 'workspace',
      resolvedFrom: null,
      commentReaders: 'viewers',
      people: [],
    } as PagePeople,
    /** The people who would lose access by a restriction or a move. */
    losers: [] as UserId[],
    /** Requests by others. */
    requests: [] as AccessRequest[],
    /** Requests of this person. */
    asked: new Map<DocumentId, { readonly role: string; readonly note: string }>(),
    /** The answers that were given. */
    answered: [] as { readonly request: string; readonly role: string | null }[],
    closure: null as Closure,
    /** A role is given only then. */
    roleGate: Promise.resolve(),
  };
  const access: PageAccess = {
    people: () => answer('documentPeople', () => state.people),
    async setRole(_document, person, role) {
      await state.roleGate;
      return answer('setDocumentRole', () => {
        const others = state.people.people.filter(({ user }) => user !== person);
        const source = { kind: 'page', document: null, link: null, addedBy: null } as const;
        const changed = role === null ? [] : [{ user: person, role, sources: [{ ...source, role }] }];
        state.people = { ...state.people, people: [...others, ...changed] };
      });
    },
    setAccess: (_document, access, revokesLinks) =>
      answer('setAccess', () => {
        if (revokesLinks) revokeLinks();
        state.people = { ...state.people, access, resolvedAccess: access };
      }),
    setCommentReaders: (_document, commentReaders) =>
      answer('setCommentReaders', () => {
        state.people = { ...state.people, commentReaders };
      }),
    losers: () => answer('losers', () => state.losers),
    losersByMove: () => answer('losersByMove', () => state.losers),
    request: (document, role, note) => answer('requestAccess', () => void state.asked.set(document, { role, note })),
    withdrawRequest: (document) => answer('withdrawRequest', () => void state.asked.delete(document)),
    requests: () => answer('requests', () => state.requests),
    answerRequest: (request, role) =>
      answer('answerRequest', () => {
        state.answered.push({ request, role });
        state.requests = state.requests.filter(({ id }) => id !== request);
        return role;
      }),
    whyClosed: () => answer('whyClosed', () => state.closure),
  };
  return { state, access };
}
