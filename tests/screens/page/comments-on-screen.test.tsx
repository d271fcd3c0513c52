// Showing the comments of a page, in a window too narrow for them and the sidebar.
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Outlet, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { useCommentsOnScreen } from '../../../src/screens/page/comments/comments-on-screen.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('the sidebar makes room when the comments come to the screen, not each time a thread opens', () => {
  // A window of 1,000 px.
  const matchMedia = (query: string) => ({
    matches: query === '(min-width: 900px)',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('matchMedia', matchMedia);
  const toggleSidebar = vi.fn<() => void>();
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <MemoryRouter>
      <Routes>
        <Route element={<Outlet context={{ isSidebarOpen: true, toggleSidebar }} />}>
          <Route path="/" element={children} />
        </Route>
      </Routes>
    </MemoryRouter>
  );
  const { result } = renderHook(useCommentsOnScreen, { wrapper });
  act(() => result.current.show(true));
  expect(toggleSidebar).toHaveBeenCalledTimes(1);
  // Someone opened the sidebar again, and the caret goes into a thread.
  act(() => result.current.show(true));
  expect(toggleSidebar).toHaveBeenCalledTimes(1);
});
