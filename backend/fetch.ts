/** Answers one API request; `peerAddress` is the caller's network address, null if unknown. */
export type Fetch = (request: Request, peerAddress: string | null) => Promise<Response>;
