// How many words the watched page has. They are counted in steps: a page can have millions.
import { useEffect, useState } from 'react';
import { countWords } from 'weft-document/body/body-text.ts';
import { inSteps } from '../../lib/async/in-steps.ts';
import { counted } from '../../lib/text/counted.ts';

export function WordCount({ text }: { readonly text: string }) {
  const [words, setWords] = useState<number | null>(null);
  useEffect(() => {
    const steps = countWords(text);
    let isCurrent = true;
    void inSteps(steps).then((count) => {
      if (isCurrent) setWords(count);
    });
    return () => {
      isCurrent = false;
      // Ends the counting too.
      steps.return(0);
    };
  }, [text]);
  if (words === null) return null;
  return <span>{counted(words, 'word')}</span>;
}
