// Where the app starts in a page.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { assert } from '../lib/assert.ts';
import '../ui/fonts.css';
import '../ui/tokens.css';

const root = document.getElementById('root');
assert(root !== null, 'index.html has a #root');
createRoot(root).render(
  <StrictMode>
    <h1>Weft</h1>
  </StrictMode>,
);
