// Why a page could not be created, for people.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { textOf } from './error-texts.ts';

/** WF011: the server doesn't answer, and this device can't store the page or does not know the workspace yet. */
export const creationProblem = (error: WeftError): string =>
  error.code === 'WF011' ? 'Can’t create a page until the server answers.' : textOf(error);
