// The mark of a receipt: three vertical threads (`warp`) and one across (`weft`). Its drawings show where the edits
// are ("late" is "sending" in another color); the drawing for "saved" is also the logo.

export type MarkState = 'opening' | 'saved' | 'sending' | 'late' | 'device' | 'tab' | 'refused' | 'readonly';

const STRAIGHT = ['M8 1V15', 'M13 1V15', 'M18 1V15'];

type MarkProps = {
  readonly state?: MarkState;
  /** Animates the mark of "sending". */
  readonly isMoving?: boolean;
};

/** Hidden from assistive technology: the text beside it says the same. */
export function ReceiptMark({ state = 'saved', isMoving = false }: MarkProps) {
  return (
    <svg className="mark" data-mark={state} data-moving={isMoving || undefined} viewBox="-3 0 28 16" aria-hidden="true">
      {drawing(state)}
    </svg>
  );
}

function drawing(state: MarkState) {
  switch (state) {
    case 'opening':
      return (
        <>
          <path className="warp" d="M18 1V15" opacity=".35" />
          <path className="warp" d="M13 1V15" opacity=".65" />
          <path className="warp" d="M8 1V15" />
        </>
      );
    case 'saved':
      return (
        <>
          <Warp threads={['M8 1V5M8 11V15', 'M13 1V15', 'M18 1V5M18 11V15']} />
          <path className="weft" d="M2 8H11M15 8H24" />
        </>
      );
    case 'sending':
    case 'late':
      return (
        <>
          <Warp threads={['M8 1V5M8 11V15', 'M13 1V15', 'M18 1V4M18 12V15']} />
          <path className="weft" d="M2 8H11" />
          <path className="solid shuttle" d="M14.2 8q4.4-5 8.8 0q-4.4 5-8.8 0z" />
        </>
      );
    case 'device':
      return (
        <>
          <Warp threads={STRAIGHT} />
          <circle className="solid" cx="1" cy="8" r="3.75" />
        </>
      );
    case 'tab':
      return (
        <>
          <Warp threads={STRAIGHT} />
          <circle className="weft" cx="1" cy="8" r="2.75" style={{ strokeWidth: 2 }} />
        </>
      );
    case 'refused':
      return (
        <>
          <Warp threads={STRAIGHT} />
          <path className="weft" style={{ strokeWidth: 2.5 }} d="M-3 4.75H1a3.25 3.25 0 0 1 0 6.5H-3" />
        </>
      );
    case 'readonly':
      return <Warp threads={STRAIGHT} />;
  }
}

function Warp({ threads }: { readonly threads: readonly string[] }) {
  return threads.map((thread) => <path key={thread} className="warp" d={thread} />);
}
