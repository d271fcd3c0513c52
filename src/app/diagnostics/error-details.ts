// The details of an error, for a person who helps. They have no content: no text, no name, no id.
import type { RecentCall } from '../../platform/supabase/recent-calls.ts';
import { appErrorCode } from '../../protocol/errors.ts';

/** From package.json; `vite.config.ts` puts it in. */
declare const WEFT_VERSION: string;

export type ErrorDetails = {
  /** Shown to the person. */
  readonly code: string;
  /** `TypeError`. */
  readonly name: string;
  /** With the file of the build: `0.1.0 (app-Ab12cd34.js)`. */
  readonly version: string;
  /** The pattern of the route: `/w/:workspace/p/:page`. */
  readonly screen: string;
  readonly browser: string;
  /** The places it was thrown at, innermost first: `page-screen-Ab12cd34.js:1:2345`. */
  readonly stack: readonly string[];
  /** The last calls to the server, oldest first; `status` is null if no answer came. */
  readonly calls: readonly {
    readonly name: string;
    readonly status: number | null;
    readonly ms: number;
    readonly secondsBefore: number;
  }[];
};

/** The facts at the moment of an error. */
export type Moment = {
  /** The pattern of the route. */
  readonly screen: string;
  /** The address of the app's entry. */
  readonly build: string;
  readonly calls: readonly RecentCall[];
  readonly at: number;
};

const MAX_FRAMES = 6;

export function errorDetails(error: unknown, { screen, build, calls, at }: Moment): ErrorDetails {
  return {
    code: appErrorCode(error),
    name: error instanceof Error ? error.name : typeof error,
    version: `${WEFT_VERSION} (${build.split('/').at(-1)})`,
    screen,
    browser: navigator.userAgent,
    stack: error instanceof Error ? framesOf(error) : [],
    calls: calls.map(({ name, status, ms, sentAt }) => ({
      name,
      status,
      ms,
      secondsBefore: Math.round((at - sentAt) / 100) / 10,
    })),
  };
}

/** Chromium's stack begins with the message, which may quote words. */
const framesOf = ({ stack = '', message }: Error): readonly string[] =>
  stack
    .replace(message, '')
    .match(/[\w.-]+\.[jt]sx?(?:\?[^:\s]*)?:\d+:\d+/g)
    ?.slice(0, MAX_FRAMES) ?? [];

export const detailsText = ({ code, name, version, screen, browser, stack, calls }: ErrorDetails): string =>
  [
    `Weft ${version}`,
    `Error ${code} ${name}`,
    ...stack.map((frame) => `  at ${frame}`),
    `Screen ${screen}`,
    `Browser ${browser}`,
    'Last calls',
    ...calls.map(
      (call) => `  ${call.secondsBefore} s before: ${call.name} ${call.status ?? 'no answer'}, ${call.ms} ms`,
    ),
  ].join('\n');
