// Finds the types of a statement's parameters. A JavaScript array can be meant as a PostgreSQL array or as JSON, and only
// the server knows. Each statement is described once and cached.
import type pg from 'pg';
import { BoundedMap } from '../../src/lib/lists/bounded-map.ts';

const MAX_CACHED_STATEMENTS = 1_000;

export class ParameterTypes {
  readonly #known = new BoundedMap<string, readonly number[]>(MAX_CACHED_STATEMENTS);

  async of(client: pg.ClientBase, text: string): Promise<readonly number[]> {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    client.query(new Describe(text, resolve, reject));
    const types = await promise;
    this.#known.set(text, types);
    return types;
  }
}

/** Has the server parse and describe a statement without running it. Shaped like node-postgres' own queries. */
class Describe implements pg.Submittable {
  readonly #text: string;
  readonly #resolve: (types: readonly number[]) => void;
  readonly #reject: (error: Error) => void;
  #types: readonly number[] = [];

  constructor(text: string, resolve: (types: readonly number[]) => void, reject: (error: Error) => void) {
    this.#text = text;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    const onTypes = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }) => {
      this.#types = dataTypeIDs;
    };
    connection.once('parameterDescription', onTypes);
    connection.once('readyForQuery', () => connection.off('parameterDescription', onTypes));
    connection.parse({ name: '', text: this.#text, types: [] }, false);
    connection.describe({ type: 'S', name: '' }, false);
    connection.sync();
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#types);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
