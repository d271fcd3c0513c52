// Makes ids on the device, so that what they name can be created offline.
import { assert } from '../lib/assert.ts';
import { randomUuid } from '../lib/random-uuid.ts';
import { parseAttachmentId, parseDocumentId, parseSessionId, parseVersionId, parseWorkspaceId } from './ids.ts';

function newId<Id extends string>(parse: (text: string) => Id | null): Id {
  const id = parse(randomUuid());
  assert(id !== null, 'a random uuid is an id');
  return id;
}

export const newWorkspaceId = () => newId(parseWorkspaceId);
export const newDocumentId = () => newId(parseDocumentId);
export const newSessionId = () => newId(parseSessionId);
export const newAttachmentId = () => newId(parseAttachmentId);
export const newVersionId = () => newId(parseVersionId);
