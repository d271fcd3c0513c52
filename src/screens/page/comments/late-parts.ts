// The comments of the open page load after its text.
import { latePart } from '../../../ui/feedback/late-part.tsx';

const load = () => import('./page-comments.tsx');

/** In the bar. */
export const LateCommentsButton = latePart(async () => (await load()).PageCommentsButton);
/** Beside the text, or below it. */
export const CommentsBesidePage = latePart(async () => (await load()).PageCommentsSlot);
