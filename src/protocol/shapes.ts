// Valibot schemas that several parsers share.
import * as v from 'valibot';

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
