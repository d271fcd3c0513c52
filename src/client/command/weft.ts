#!/usr/bin/env node
// `weft watch …`, as the package's command and for scripts/weft.mjs.
import process from 'node:process';
import { weft } from './run-watch.ts';

await weft(process.argv.slice(2));
