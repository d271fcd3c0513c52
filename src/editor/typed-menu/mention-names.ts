// A port: the people and pages that can be mentioned, and the creation of pages. The app provides them.

export type PersonName = {
  readonly id: string;
  readonly name: string;
  /** Has the page open. */
  readonly isHere?: boolean;
};
export type PageName = {
  readonly title: string;
  /** The path within this app: `/w/…/p/…`. */
  readonly address: string;
  /** The title of the parent page, or empty. */
  readonly above: string;
};

export interface NewPages {
  /** The page is created below the one on the screen, in the background. */
  readonly create: (title: string) => NewPage;
  /** The title that the page at this address has now; empty if it has none, or is not known. */
  readonly titleOf: (address: string) => string;
}

export interface NewPage {
  /** Known at once, because the page's id is made here. */
  readonly address: string;
  /** False if there is no page now; the person has been told why. */
  readonly isCreated: Promise<boolean>;
  /** Navigates to the page. */
  readonly open: () => void;
  /** Undo removed the link or brought it back: a page without link goes to the trash, unless something was written in it. */
  readonly setLinked: (isLinked: boolean) => void;
}

export interface MentionNames {
  readonly people: readonly PersonName[];
  readonly pages: readonly PageName[];
  /** Missing where no page can be created. */
  readonly newPages?: NewPages;
}

export const NO_NAMES: MentionNames = { people: [], pages: [] };
