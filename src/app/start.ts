// The entry point. For a link to watch, it tries to show the page's text before it loads the rest of the app.
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

/** After this time the app is loaded too, even if the text has not come. */
const PATIENCE_MS = 3_000;
/** A file of the app may be gone because of a deploy: the new index.html names others. Waits, so as not to reload in a loop. */
const RELOAD_AFTER_MS = 30_000;

const delay = (ms: number) => new Promise((go) => setTimeout(go, ms));

const config = fetch('/config.json');
// The code that awaits it says what is wrong. A failure before that would be an unhandled rejection.
config.catch(() => {});

async function showFirstText(secret: string): Promise<void> {
  const answer = firstAnswer(secret, config);
  try {
    await (await import('./text-first.tsx')).showFirstText(answer);
  } catch {
    // The app shows the page, or says why not.
  }
}

// The wall view and the history of a link have no first text: their addresses have a search part.
const secret = location.hash.slice(1);
if (location.pathname === '/s' && location.search === '' && secret !== '')
  await Promise.race([showFirstText(secret), delay(PATIENCE_MS)]);
import('./main.tsx').then(
  ({ start }) => void start(config),
  () => setTimeout(() => location.reload(), RELOAD_AFTER_MS),
);
