// Texts about pictures and files. The errors among them come from the device and from Storage, not from the database.

export const FILE_TEXTS = {
  tooLarge: 'Files can be at most 25 MB.',
  unreadable: 'This file couldn’t be read.',
  noPicture: 'This isn’t a picture that can be shown here. Choose a PNG, JPEG or WebP file.',
  full: 'There is no room on this device. Free some, then add the file again.',
  waiting: 'Waiting on this device',
  sending: 'Uploading',
  failed: 'Couldn’t be uploaded.',
  denied: 'You can’t open this file.',
  notIncluded: 'This picture wasn’t included.',
  notFetched: 'Some pictures couldn’t be fetched from Google. They are pasted as links.',
  saving: 'Saving the pictures on this device. The pasted content appears with them.',
  notPasted: 'This couldn’t be pasted.',
  missing: 'Not on the server: it isn’t uploaded yet, or the server has lost it.',
  offline: 'Shown when you are online again.',
  broken: 'This picture couldn’t be shown.',
  undrawable: 'This picture is damaged or too large to show. You can download it.',
} as const;

export const refusedFilesText = (count: number): string =>
  count === 1 ? 'A file couldn’t be uploaded.' : `${count} files couldn’t be uploaded.`;
