// Port: whom and which pages a text may name. Filled by the app; the editor asks nobody.

export type PersonName = { readonly id: string; readonly name: string };
export type PageName = {
  readonly title: string;
  /** Within this app: `/w/…/p/…`. */
  readonly address: string;
  /** The title of the page it stands under, or nothing. */
  readonly above: string;
};

export interface Names {
  readonly people: readonly PersonName[];
  readonly pages: readonly PageName[];
}

export const NO_NAMES: Names = { people: [], pages: [] };
