// The offer to start an empty page from a template.
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import { TemplateOffer } from '../../../src/screens/page/template-offer.tsx';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

afterEach(cleanup);

const offer = () => screen.queryByRole('button', { name: 'Use a template' });

test.each([
  ['an empty block', pageSeed(''), true],
  ['text like a tag', pageSeed('<todo>'), false],
  ['a divider', pageSeed({ node: 'divider' }), false],
  ['a picture', pageSeed({ node: 'image' }), false],
])('of a page with only %s', (_what, seed, isOffered) => {
  const session = pageSession(seed);
  render(<TemplateOffer session={session} />);
  expect(offer() !== null).toBe(isOffered);
  act(() => bodyOf(session.doc).delete(0, 1));
  expect(offer()).not.toBeNull();
});
