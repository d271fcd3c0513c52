// A page that was just made is opened to be named: told to its screen in the history entry's state.

export const NEW_PAGE = { isNew: true } as const;

export const isNewPage = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isNew' in state && state.isNew === true;
