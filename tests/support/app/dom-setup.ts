// Runs before tests that render. A screen that is loaded on demand takes seconds on a fresh clone and a busy machine.
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
