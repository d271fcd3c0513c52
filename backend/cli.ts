// `npm start` and `npm run backend`.
import { keepCompiled } from './start/compile-cache.ts';

// Before anything else is loaded: half of a start is reading and compiling.
keepCompiled();
const { startCommand } = await import('./start/start-command.ts');
await startCommand(process.argv.slice(2));
