// `npm run compact -- https://<ref>.supabase.co --older-than 90`: makes one row of each editing session that ended more than
// 90 days ago, in the history of each page. Ends with 1 if a page could not be compacted, and with 2 if it is not called
// rightly.
import process from 'node:process';
import { compact } from './compact/compact.ts';
import '../src/yjs/install.ts';

process.exitCode = await compact(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
