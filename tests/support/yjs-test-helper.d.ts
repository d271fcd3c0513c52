// Types for the one function of Yjs's own test support that we use; it ships without types.
declare module 'yjs/testHelper' {
  import type { Doc } from 'yjs';

  /** Throws unless both hold the same structs, with the same left and right structs and origins. */
  export function compareStructStores(one: Doc['store'], other: Doc['store']): void;
}
