// Takes the files that are pasted into a comment's field or dropped on it, before the editor in it sees them.
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { filesIn } from '../../../editor/files/given-files.ts';

/** Returns the properties for that element. */
export function useGivenFiles(add: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    const files = filesIn(data);
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    add(files);
  };
  return {
    'data-over': isOver || undefined,
    onPasteCapture: (event: ClipboardEvent) => take(event, event.clipboardData),
    onDropCapture: (event: DragEvent) => {
      setOver(false);
      take(event, event.dataTransfer);
    },
    onDragOverCapture: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
  };
}
