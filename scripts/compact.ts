// `npm run compact -- https://<ref>.supabase.co --older-than 90`: makes one row of each editing session in the history of pages
// that is older than 90 days. Ends with 1 if a page could not be compacted.
import process from 'node:process';
import { compact } from './compact/compact.ts';
import '../src/yjs/install.ts';

process.exitCode = await compact(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
