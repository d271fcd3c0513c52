// The state of the history entry that opens a new page without a title: its screen then puts the focus into the title.

export const NEW_PAGE = { isNew: true } as const;

export const isNewPage = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isNew' in state && state.isNew === true;
