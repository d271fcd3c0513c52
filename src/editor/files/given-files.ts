// The files that a person pastes, drops or picks.

/** Programs copy text together with a picture of it: then the text wins. */
export function filesIn(data: DataTransfer | null): readonly File[] {
  if (data === null || data.files.length === 0) return [];
  const html = data.getData('text/html');
  if (html !== '') {
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    if ((body.textContent ?? '').trim() !== '') return [];
  } else if (data.getData('text/plain').trim() !== '') return [];
  return Array.from(data.files);
}

/** Opens the browser's dialog. `accept`: the types that it offers; without it, all. */
export function pickFiles(run: (files: readonly File[]) => unknown, accept: readonly string[] = []): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = accept.join(',');
  // In the document while the dialog is open: a browser may forget an element that nothing refers to, and its answer too.
  input.hidden = true;
  document.body.append(input);
  input.addEventListener('cancel', () => input.remove());
  input.addEventListener('change', () => {
    input.remove();
    void run(Array.from(input.files ?? []));
  });
  input.click();
}
