// The notifications of the inbox by page: the page with the newest one first. Those of no page stand together.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Notification } from '../../protocol/home-answers.ts';

export type InboxGroup = {
  /** Null: workspaces, and not a page. */
  readonly document: DocumentId | null;
  readonly notifications: readonly Notification[];
};

export function inboxGroups(notifications: readonly Notification[]): readonly InboxGroup[] {
  const groups = new Map<DocumentId | null, Notification[]>();
  for (const one of notifications) {
    const group = groups.get(one.document);
    if (group === undefined) groups.set(one.document, [one]);
    else group.push(one);
  }
  return Array.from(groups, ([document, group]) => ({ document, notifications: group }));
}
