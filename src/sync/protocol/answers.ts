// Parses the answers of the database and of other services.
import * as v from 'valibot';
import { type Result, err, ok } from '../../lib/result.ts';
import { type WeftError, weftError } from './errors.ts';

/** An answer that does not fit the schema is an error of code `unknown`. */
export function parseAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Result<v.InferOutput<Schema>, WeftError> {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return ok(parsed.output);
  const issue = parsed.issues[0];
  return err(weftError('unknown', `answer: ${v.getDotPath(issue) ?? ''} ${issue.message}`));
}
