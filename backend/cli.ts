// `npm start` and `npm run backend`: first the thread of the database, which takes longest to get ready; everything else is
// loaded meanwhile.
import { keepCompiled } from './compile-cache.ts';
import { startSpareWorker } from './engine/spare-worker.ts';

keepCompiled();
if ((process.env['DATABASE_URL'] ?? '').trim() === '') startSpareWorker();
const { startCommand } = await import('./start-command.ts');
await startCommand(process.argv.slice(2));
