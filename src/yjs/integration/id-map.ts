// A map from ids of Yjs, or none, to values.
import type * as Y from 'yjs';

export class IdMap<Value> {
  readonly #byClient = new Map<number, Map<number, Value>>();
  #withoutId: Value | undefined;

  get(id: Y.ID | null): Value | undefined {
    return id === null ? this.#withoutId : this.#byClient.get(id.client)?.get(id.clock);
  }

  getOrAdd(id: Y.ID | null, make: () => Value): Value {
    if (id === null) return (this.#withoutId ??= make());
    let byClock = this.#byClient.get(id.client);
    if (byClock === undefined) this.#byClient.set(id.client, (byClock = new Map<number, Value>()));
    let value = byClock.get(id.clock);
    if (value === undefined) byClock.set(id.clock, (value = make()));
    return value;
  }
}
