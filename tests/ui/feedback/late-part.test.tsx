import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { latePart } from '../../../src/ui/feedback/late-part.tsx';

afterEach(cleanup);

function Tools({ name }: { readonly name: string }) {
  return <p>Tools for {name}</p>;
}

test('a part stands in its place once its code is loaded, and at once the next time', async () => {
  const Part = latePart(async () => Tools, <p>Loading…</p>);
  render(<Part name="rows" />);
  expect(screen.getByText('Loading…')).toBeDefined();
  expect(await screen.findByText('Tools for rows')).toBeDefined();
  cleanup();
  render(<Part name="columns" />);
  expect(screen.getByText('Tools for columns')).toBeDefined();
});

test('a part whose code does not load leaves the screen, and is tried again online and the next time', async () => {
  let tries = 0;
  let isOnline = false;
  const Part = latePart(async () => {
    tries += 1;
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module');
    return Tools;
  });
  const page = (
    <main>
      The page
      <Part name="rows" />
    </main>
  );
  await act(async () => void render(page));
  expect(screen.getByRole('main').textContent).toBe('The page');
  cleanup();
  await act(async () => void render(page));
  expect(tries).toBe(2);
  isOnline = true;
  await act(async () => void dispatchEvent(new Event('online')));
  expect(screen.getByText('Tools for rows')).toBeDefined();
  dispatchEvent(new Event('online'));
  expect(tries).toBe(3);
});
