// A port: the people and pages that can be mentioned. The app provides them.

export type PersonName = { readonly id: string; readonly name: string };
export type PageName = {
  readonly title: string;
  /** The path within this app: `/w/…/p/…`. */
  readonly address: string;
  /** The title of the parent page, or empty. */
  readonly above: string;
};

export interface MentionNames {
  readonly people: readonly PersonName[];
  readonly pages: readonly PageName[];
}

export const NO_NAMES: MentionNames = { people: [], pages: [] };
