import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { QuotedWords } from '../../../src/features/who-wrote/quoted-words.tsx';

afterEach(cleanup);

test('long words are cut between characters, not within an emoji', () => {
  const words = 'a'.repeat(239);
  render(<QuotedWords words={`${words}🚤 and more`} />);
  expect(screen.getByRole('blockquote').textContent).toBe(`${words} …`);
});
