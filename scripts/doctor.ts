// `npm run doctor -- https://<ref>.supabase.co`: whether a project is fit for Weft, and what to do where it is not. Ends with 1
// when something has to be done.
import process from 'node:process';
import { diagnose } from './doctor/diagnose.ts';

process.exitCode = await diagnose(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
