// Runs before tests that render.
import './patient-queries.ts';

// happy-dom has none. An error that a browser reports fails the test here.
globalThis.reportError ??= (error: unknown) => {
  setTimeout(() => {
    throw error;
  });
};
