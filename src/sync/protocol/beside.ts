// The database's message about someone who writes in a text beside the page, a reply to a comment, and may send no caret.
import * as v from 'valibot';
import { parseJsonOrNull } from '../../lib/parse-or-null.ts';
import { idParser } from './ids.ts';
import { branded, userId } from './shapes.ts';

/** `beside`: the id of the text. Null: they have stopped. */
const besideMessage = v.object({ user: userId, beside: v.nullable(branded(idParser())) });
export type BesideMessage = v.InferOutput<typeof besideMessage>;

const MAX_MESSAGE_BYTES = 256;

/** JSON in UTF-8. Null for bytes of any other form. */
export const decodeBeside = (bytes: Uint8Array): BesideMessage | null =>
  bytes.length > MAX_MESSAGE_BYTES ? null : parseJsonOrNull(besideMessage, new TextDecoder().decode(bytes));
