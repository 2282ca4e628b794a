/** Sets by key; a set that becomes empty is removed. */
export class SetMap<Key, Value> {
  readonly #sets = new Map<Key, Set<Value>>();

  add(key: Key, value: Value): void {
    const set = this.#sets.get(key) ?? new Set();
    this.#sets.set(key, set.add(value));
  }

  delete(key: Key, value: Value): void {
    const set = this.#sets.get(key);
    set?.delete(value);
    if (set?.size === 0) this.#sets.delete(key);
  }

  of(key: Key): Value[] {
    return [...(this.#sets.get(key) ?? [])];
  }

  all(): Value[] {
    return [...this.#sets.values()].flatMap((set) => [...set]);
  }
}
