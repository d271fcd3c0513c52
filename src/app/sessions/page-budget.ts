// Divides the project's messages per second among the pages where several people are: Realtime counts those of all pages
// together, and closes channels above its limit.
import type { DocumentId } from '../../protocol/ids.ts';
import type { WorkspaceStream } from '../../state/ports.ts';

/** All pages together: the rest is for lists, watchers, and pages of workspaces that this tab does not know. */
const USABLE_SHARE = 0.8;
/** One page alone leaves the rest to pages that open next, until presence has named them. */
const MAX_PAGE_SHARE = 0.5;
/** With fewer people on it, a page sends nothing. */
const BUSY_FROM = 2;

type Locations = Parameters<Parameters<WorkspaceStream['open']>[1]['locations']>[0];

export class PageBudget {
  readonly #projectBudget: number;
  readonly #busyPages = new Map<string, number>();

  /** `projectBudget`: the messages per second of the project's plan. */
  constructor(projectBudget: number) {
    this.#projectBudget = projectBudget;
  }

  /** Messages per second that one page may cause now. */
  readonly perPage = (): number => {
    const pages = [...this.#busyPages.values()].reduce((sum, count) => sum + count, 0);
    return this.#projectBudget * Math.min(MAX_PAGE_SHARE, USABLE_SHARE / Math.max(1, pages));
  };

  /** The same stream; who is where passes through here. */
  observe(stream: WorkspaceStream): WorkspaceStream {
    return {
      open: (workspace, on) => {
        const locations = (people: Locations) => {
          // While it is not connected, the last count is better than none.
          if (people !== null) this.#busyPages.set(workspace.id, busyPages(people));
          on.locations(people);
        };
        const opened = stream.open(workspace, { ...on, locations });
        return {
          setCurrentPage: (document) => opened.setCurrentPage(document),
          close: () => {
            this.#busyPages.delete(workspace.id);
            opened.close();
          },
        };
      },
    };
  }
}

function busyPages(people: NonNullable<Locations>): number {
  const counts = new Map<DocumentId, number>();
  for (const { document } of people) if (document !== null) counts.set(document, (counts.get(document) ?? 0) + 1);
  return [...counts.values()].filter((count) => count >= BUSY_FROM).length;
}
