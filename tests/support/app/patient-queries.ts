// `findBy…` of Testing Library waits as long as `expect.poll` does: a part of a screen that loads on demand takes seconds on
// a fresh clone and a busy machine.
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
