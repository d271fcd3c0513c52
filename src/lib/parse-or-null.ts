// Reads values from outside with a schema, where it does not matter why one is refused.
import * as v from 'valibot';

/** Null if the value does not fit the schema. */
export function parseOrNull<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | null {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? parsed.output : null;
}

/** Null if `text` is no JSON text, or its value does not fit the schema. */
export const parseJsonOrNull = <S extends v.GenericSchema>(schema: S, text: unknown): v.InferOutput<S> | null =>
  parseOrNull(v.pipe(v.string(), v.parseJson(), schema), text);
