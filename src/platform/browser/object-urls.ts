// Addresses of pictures that are on this device, for what shows them.
import type { ObjectUrls } from '../../ports/files.ts';
import { isDrawable } from './drawable-picture.ts';

export const objectUrls: ObjectUrls = {
  create: async (blob) => ((await isDrawable(blob)) ? URL.createObjectURL(blob) : null),
  revoke: (address) => URL.revokeObjectURL(address),
};
