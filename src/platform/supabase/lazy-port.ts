// A port whose adapter loads at its first call, so that the first screen comes without it.
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { err, type Result } from '../../lib/result.ts';

type Call = (...args: never[]) => Promise<Result<unknown, WeftError>>;

/** Every method of the port is a call that answers with a result, except for those of `own`. */
export function lazyPort<Port extends { readonly [Name in keyof Port]: Call }, Own extends object = object>(
  load: () => Promise<Port>,
  own?: Own,
): Port & Own {
  const call =
    (name: keyof Port) =>
    async (...args: never[]) => {
      let port: Port;
      try {
        port = await load();
      } catch (error) {
        // The network went away before the code was here.
        return err(weftError('WF011', String(error)));
      }
      return port[name](...args);
    };
  return new Proxy<Port & Own>(Object.assign(Object.create(null), own), {
    get: (all, name: Extract<keyof Port, string>) => (name in all ? all[name] : call(name)),
  });
}
