import type { OwnerContext } from '../contracts/owner'

/**
 * Declares state that code keeps in memory, such as a cache. Returns a function from a context to the state. `make`
 * runs once for each running product. Do not use a context as the key of a map: each job and command gets its own.
 */
export function productState<State>(make: () => State): (ctx: Pick<OwnerContext, 'product'>) => State {
  const states = new WeakMap<object, { readonly state: State }>()
  return ({ product }) => {
    const known = states.get(product) ?? { state: make() }
    states.set(product, known)
    return known.state
  }
}
