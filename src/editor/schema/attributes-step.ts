// A ProseMirror step that sets attributes of many blocks at once. One AttrStep per block copies the page's list of
// blocks each time, so turning 5,000 blocks into another kind took seconds.
import { Fragment, type Node } from '@tiptap/pm/model';
import { Step, StepResult } from '@tiptap/pm/transform';

export type Attributes = Readonly<Record<string, unknown>>;
/** Keyed by the position before the block. */
export type AttributeChanges = ReadonlyMap<number, Attributes>;

/** Moves no positions. It is never sent or mapped: others' edits arrive through the Yjs document. */
export class AttributesStep extends Step {
  readonly #changes: AttributeChanges;

  constructor(changes: AttributeChanges) {
    super();
    this.#changes = changes;
  }

  override apply(doc: Node): StepResult {
    const children: Node[] = [];
    doc.forEach((node, at) => {
      const change = this.#changes.get(at);
      children.push(
        change === undefined ? node : node.type.create({ ...node.attrs, ...change }, node.content, node.marks),
      );
    });
    return StepResult.ok(doc.copy(Fragment.fromArray(children)));
  }

  override invert(doc: Node): AttributesStep {
    const before = new Map<number, Attributes>();
    doc.forEach((node, at) => {
      if (this.#changes.has(at)) before.set(at, node.attrs);
    });
    return new AttributesStep(before);
  }

  override map(): null {
    return null;
  }

  override toJSON(): object {
    return { stepType: 'attributes', changes: [...this.#changes] };
  }
}
