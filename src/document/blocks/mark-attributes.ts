// The marks of a run as the attributes that a Y.Text stores. A mark that is not set has no attribute.
import { MARKS, type Marks } from './block.ts';

/** The field in which a mark with a value stores the value. */
const FIELDS: Readonly<Record<string, string>> = { link: 'href', mention: 'user', date: 'day' };

export const markAttributes = (marks: Marks): Record<string, object> =>
  Object.fromEntries(
    MARKS.flatMap((name): [string, object][] => {
      const value = marks[name];
      if (value === false || value === null) return [];
      const field = FIELDS[name];
      return [[name, field === undefined ? {} : { [field]: value }]];
    }),
  );
