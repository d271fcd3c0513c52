// Saves bytes as a file in the person's downloads.

export const saveFile = (bytes: Uint8Array<ArrayBuffer>, name: string): void =>
  saveBlob(new Blob([bytes], { type: 'application/octet-stream' }), name);

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Firefox reads the blob only after `click` has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
