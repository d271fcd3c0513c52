// Valibot schemas that several parsers share.
import * as v from 'valibot';
import { parseDocumentId, parseUserId } from './ids.ts';
import { DOCUMENT_ROLES } from './roles.ts';

/** An id: a valibot schema around a parser of ids.ts. */
export const branded = <Id extends string>(parse: (text: string) => Id | null) =>
  v.pipe(
    v.string(),
    v.rawTransform<string, Id>(({ dataset, addIssue, NEVER }) => {
      const id = parse(dataset.value);
      if (id !== null) return id;
      addIssue({ message: 'malformed id' });
      return NEVER;
    }),
  );

/** A count or number of the database. Its bigint columns stay below 2^53 in practice. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const userId = branded(parseUserId);
export const documentId = branded(parseDocumentId);
/** A point in time, parsed to milliseconds since 1970. */
export const instant = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.number(),
);
export const documentRole = v.picklist(DOCUMENT_ROLES);
