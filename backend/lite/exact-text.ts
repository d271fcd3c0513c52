// Gap: @supabase/lite 0.10.0 reads texts of a body as the types of their columns (numbers, JSON, lists) and hands on what
// JavaScript made of them. What the database printed is put into objects, which lite leaves alone, and taken out again in
// front of the database.
import { randomUUID } from 'node:crypto';
import { ExactNumber } from '../engine/exact-number.ts';

/** No caller can know it, so that nobody else's object is taken for one. */
const KEY = `weft: text ${randomUUID()}`;

export const asExactText = (text: string | null): object | null => (text === null ? null : { [KEY]: text });

/** A statement's parameter as it is meant; also of a long number that lite read, and asks for again. */
export function fromExactText(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'object' && value !== null && KEY in value ? Reflect.get(value, KEY) : value;
}
