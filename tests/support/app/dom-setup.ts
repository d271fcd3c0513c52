// Runs before tests that render. A screen that is loaded on demand takes seconds on a fresh clone and a busy machine.
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });

// happy-dom has none. An error that a browser reports fails the test here.
globalThis.reportError ??= (error: unknown) => {
  setTimeout(() => {
    throw error;
  });
};
