// Runs before tests that render. On a fresh clone and a busy machine, a screen that loads on demand takes seconds.
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
