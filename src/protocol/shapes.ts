// Shapes that more than one border parses.
import * as v from 'valibot';

/** An id, made by its own parser: valibot around `ids.ts`. */
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

/** A bigint column: below 2^53 for as long as anyone will write. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
