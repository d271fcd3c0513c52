// The entry point: a link to watch shows its text before the rest of the app is loaded.
import '../ui/theme/fonts.css';
import '../ui/theme/tokens.css';
import '../ui/theme/base.css';
import '../ui/controls/controls.css';
import '../ui/mark/receipt-mark.css';
import '../ui/people/people.css';
import '../ui/floating/floating.css';
import '../ui/feedback/feedback.css';
import '../shell/shell.css';
import '../ui/theme/print.css';
import { firstAnswer } from './first-answer.ts';

/** Then the app is loaded without waiting for the text, which may still come before it. */
const PATIENCE_MS = 3_000;
/** After a deploy, index.html names other files. */
const RELOAD_AFTER_MS = 30_000;

const delay = (ms: number) => new Promise((go) => setTimeout(go, ms));

async function showFirstText(secret: string): Promise<void> {
  const answer = firstAnswer(secret);
  try {
    await (await import('./text-first.tsx')).showFirstText(answer);
  } catch {
    // The app shows the page, or says why not.
  }
}

// Full screen and the history of a link have no first text.
const secret = location.hash.slice(1);
if (location.pathname === '/s' && location.search === '' && secret !== '')
  await Promise.race([showFirstText(secret), delay(PATIENCE_MS)]);
import('./main.tsx').catch(() => setTimeout(() => location.reload(), RELOAD_AFTER_MS));
