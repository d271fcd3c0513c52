// Before the end-to-end tests: the app in dist/ is the one in src/.
import { buildWhenNeeded } from '../../scripts/build-when-needed.mjs';

export const setup = (): void => buildWhenNeeded();
