// Before the tests that render: on a fresh clone, with two cores and much to do, a lazy screen takes its seconds.
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
