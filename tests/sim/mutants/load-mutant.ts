// Loaded before everything else in a process that runs a mutant: replaces one text in one file while Node loads it.
import { registerHooks } from 'node:module';
import process from 'node:process';
import { MUTANTS, mutated } from './mutants.ts';

const id = process.env['WEFT_MUTANT'];
const mutant = MUTANTS.find((one) => one.id === id);
if (mutant === undefined) throw new Error(`WEFT_MUTANT names no mutant: ${id}`);

let wasLoaded = false;
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/${mutant.file}`) || loaded.source === undefined || loaded.source === null) return loaded;
    wasLoaded = true;
    const { source: text } = loaded;
    const source = typeof text === 'string' ? text : new TextDecoder().decode(text);
    return { ...loaded, source: mutated(mutant, source) };
  },
});

// The first request comes when everything is loaded. A mutant in a file that the simulation does not load proves nothing.
process.on('message', () => {
  if (!wasLoaded) process.exit(1);
});
