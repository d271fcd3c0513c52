// Makes the ids of new pages. The device makes them, so that a page can be created offline.
import { assert } from '../lib/assert.ts';
import { randomUuid } from '../lib/random-uuid.ts';
import { type DocumentId, parseDocumentId } from './ids.ts';

export function newDocumentId(): DocumentId {
  const id = parseDocumentId(randomUuid());
  assert(id !== null, 'a random uuid is a uuid');
  return id;
}
