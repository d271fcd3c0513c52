// Hands bytes to the person as a file of their own.

export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Firefox reads the blob after the click returns.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
