// Texts about comments.

export const refusedCommentsText = (count: number): string =>
  count === 1 ? 'The server rejected a comment.' : `The server rejected ${count} comments.`;
