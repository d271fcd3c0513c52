// Which types a statement's parameters have: an array may be meant for an array or for JSON, and only the server knows.
// Asked once per statement.
import type pg from 'pg';

const KEPT_STATEMENTS = 1_000;

export class ParameterTypes {
  readonly #known = new Map<string, readonly number[]>();

  async of(client: pg.ClientBase, text: string): Promise<readonly number[]> {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    client.query(new Describe(text, resolve, reject));
    const types = await promise;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= KEPT_STATEMENTS && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(text, types);
    return types;
  }
}

/** Parses a statement and runs nothing; the shape is that of pg's own queries. */
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
