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

async function showFirstText(secret: string): Promise<void> {
  const answer = firstAnswer(secret);
  try {
    await (await import('./text-first.tsx')).showFirstText(answer);
  } catch {
    // The app shows the page, or says why not.
  }
}

// Full screen and the history of a link have no first text.
if (location.pathname === '/s' && location.search === '') await showFirstText(location.hash.slice(1));
await import('./main.tsx');
