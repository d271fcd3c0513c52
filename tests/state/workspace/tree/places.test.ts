import { expect, test } from 'vitest';
import { indexOf } from '../../../../src/state/workspace/tree/page-index.ts';
import { mayTakeAccess } from '../../../../src/state/workspace/tree/tree-moves.ts';
import { documentId, pageSummary } from '../../../support/app/app-fixture.ts';

const below = (n: number) => ({ parentId: documentId(n), access: 'inherit' }) as const;
const index = indexOf([
  pageSummary(1, 'open'),
  pageSummary(2, 'in open', below(1)),
  pageSummary(3, 'restricted', { access: 'restricted' }),
  pageSummary(4, 'in restricted', below(3)),
  pageSummary(5, 'another open'),
]);

test.each([
  ['an open page below another open one', 2, 5, false],
  ['an open page below a restricted one', 2, 3, true],
  ['an open page of the top below a restricted one', 5, 4, true],
  ['within one parent', 4, 3, false],
  ['a page of a restricted one below an open one', 4, 1, true],
  ['a page of a restricted one to the top, where it keeps its people', 4, null, false],
  ['a restricted page, which has no access from above', 3, 1, false],
] as const)('whether a move may take access: %s', (_what, page, parent, expected) => {
  expect(mayTakeAccess(index, documentId(page), parent === null ? null : documentId(parent))).toBe(expected);
});
