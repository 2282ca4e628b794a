// State that lives as long as its owner, and values that are made at their first use.

/**
 * Returns the state of an owner, such as the settings of a runner or the hub of a server. Tests run several
 * of them in one process.
 */
export function stateOf<Owner extends object, State>(
  make: (owner: Owner) => State,
): (owner: Owner) => State {
  const states = new WeakMap<Owner, State>();
  return (owner) => {
    const state = states.get(owner) ?? make(owner);
    states.set(owner, state);
    return state;
  };
}

/** Returns a value that never changes and is made at its first use. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
