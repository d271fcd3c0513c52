// The words of a notification, and how a request or an invitation ended.
import type { Notification } from '../../protocol/home-answers.ts';

const MAY: Readonly<Record<string, string>> = {
  viewer: 'view',
  commenter: 'comment',
  editor: 'edit',
  manager: 'manage',
};
const AS: Readonly<Record<string, string>> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
  guest: 'a guest',
};

/** `hasName`: the text follows the name of the person who caused it. Otherwise it is a whole sentence. */
export function notificationText({ kind, detail, workspaceName, isReadable }: Notification): {
  readonly hasName: boolean;
  readonly text: string;
} {
  const may = MAY[detail.role ?? ''] ?? 'view';
  if (kind === 'answered' && (detail.role ?? null) === null)
    return { hasName: false, text: 'Your request for access was denied' };
  if (!isReadable) return { hasName: false, text: PAST[kind] };
  const text = {
    mention: detail.thread === undefined ? 'mentioned you' : 'mentioned you in a comment',
    reply: 'replied to a comment',
    invite: `invited you to ${workspaceName ?? 'a workspace'}`,
    request: `wants to ${may}`,
    answered: `gave you access: can ${may}`,
    shared: `shared this page with you: can ${may}`,
    role: `made you ${AS[detail.role ?? ''] ?? 'a member'} of ${workspaceName ?? 'a workspace'}`,
  }[kind];
  return { hasName: true, text };
}

/** Texts for pages and workspaces that the person may no longer open: they name neither. */
const PAST: Readonly<Record<Notification['kind'], string>> = {
  mention: 'You were mentioned on this page',
  reply: 'Someone replied to a comment on this page',
  invite: 'You were invited',
  request: 'Someone asked for access to this page',
  answered: 'Your request for access was answered',
  shared: 'This page was shared with you',
  role: 'Your role was changed',
};

/** Says how a request or an invitation ended; null while it is open, and for other notifications. */
export function outcomeText({ kind, state }: Notification): string | null {
  if (state === null || state === 'open') return null;
  if (kind === 'invite') return state === 'accepted' ? 'You joined.' : 'This invitation has ended.';
  return { accepted: 'Allowed.', denied: 'Denied.', ended: 'The request was withdrawn.' }[state];
}
