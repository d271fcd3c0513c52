// Addresses of pictures that are on this device, for what shows them.
import type { ObjectUrls } from '../../ports/files.ts';

export const objectUrls: ObjectUrls = {
  async create(blob) {
    // Most first screens show no picture.
    const code = await import('./drawable-picture.ts').catch(() => null);
    return (await code?.isDrawable(blob)) === true ? URL.createObjectURL(blob) : null;
  },
  revoke: (address) => URL.revokeObjectURL(address),
};
