// The lists of a page's subpages, whose code few pages need: in the workspace's layout, and outside of it.
import { latePart } from '../../ui/feedback/late-part.tsx';

const Subpages = latePart(async () => (await import('./subpages.tsx')).SubpageList);
const SubpagesOfWatched = latePart(async () => (await import('./subpages.tsx')).SubpagesOfWatched);

export const subpagesList = <Subpages />;
export const watchedSubpagesList = <SubpagesOfWatched />;
