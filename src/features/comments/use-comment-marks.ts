// The marks of comments in the page's text, once their code has loaded.
import { useEffect, useState } from 'react';
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { PageTools } from '../../editor/page-tools.ts';

export function useCommentMarks(tools: PageTools): CommentMarks | null {
  const [loaded, setLoaded] = useState<{ readonly of: PageTools; readonly marks: CommentMarks } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void tools.comments().then(
      (marks) => isCurrent && setLoaded({ of: tools, marks }),
      // Offline, the code may be missing.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [tools]);
  return loaded?.of === tools ? loaded.marks : null;
}
