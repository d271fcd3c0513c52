// Why a page could not be created, for people.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { textOf } from './error-texts.ts';

/** WF011: without the server and without storage on this device, nothing could hold the page. */
export const creationProblem = (error: WeftError): string =>
  error.code === 'WF011'
    ? 'Can’t create a page: the server doesn’t answer, and this device can’t store pages.'
    : textOf(error);
