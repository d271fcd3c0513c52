// Replaces six methods of Yjs 13.6.33 for every document of the program. Each program that reads pages imports it for its
// effect: the app, its workers, `weft watch`, the scripts. REPORTS.md says for each what Yjs does, and when ours can go.
import './delete-children.ts';
import './flat-deletion.ts';
import './integration/quick-integration.ts';
import './merged-values.ts';
