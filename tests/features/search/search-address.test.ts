import { expect, test } from 'vitest';
import { filtersOf, parseSearchQuery } from '../../../src/features/search/search-query.ts';

test.each(['2026-23-11', '2026-02-31'])('a date in the address that is no day does not limit the search: %s', (day) => {
  const query = parseSearchQuery(new URLSearchParams(`q=plan&from=${day}&to=2026-11-23`));
  expect(query.when).toEqual({ from: '', to: '2026-11-23' });
  expect(filtersOf(query, 0)).toEqual({ until: new Date(2026, 10, 24).getTime() });
});
