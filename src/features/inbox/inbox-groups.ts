// Groups the notifications of the inbox by page: the page with the newest one first. Those about no page form one group.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Notification } from '../../protocol/home-answers.ts';

export type InboxGroup = {
  /** Null: they are about workspaces, not about a page. */
  readonly document: DocumentId | null;
  readonly notifications: readonly Notification[];
};

/** `notifications`: the newest first. The groups come in the order in which their pages first occur. */
export function inboxGroups(notifications: readonly Notification[]): readonly InboxGroup[] {
  const groups = new Map<DocumentId | null, Notification[]>();
  for (const one of notifications) {
    const group = groups.get(one.document);
    if (group === undefined) groups.set(one.document, [one]);
    else group.push(one);
  }
  return Array.from(groups, ([document, group]) => ({ document, notifications: group }));
}
