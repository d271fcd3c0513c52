// Makes ids on the device, so that what they name can be created offline.
import { assert } from '../../lib/assert.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import { parseSessionId } from './ids.ts';

/** `parse`: the parser of ids of this kind. */
export function newId<Id extends string>(parse: (text: string) => Id | null): Id {
  const id = parse(randomUuid());
  assert(id !== null, 'a random uuid is an id');
  return id;
}

export const newSessionId = () => newId(parseSessionId);
