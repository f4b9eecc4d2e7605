import type { KnownProviders, Providers } from '../contracts/connection'

/** The complete declarations for the names in contexts. */
const declarations = new WeakMap<KnownProviders, Providers>()

/**
 * Returns the names of services, without the functions of the plugins that connect them. Contexts contain
 * these.
 */
export function providerNames(all: Providers): KnownProviders {
  const names = new Map(
    [...all].map(([key, { provider, label, order, account, addedVia }]) => {
      const known = { provider, label, order, account: Object.freeze({ ...account }) }
      return [key, Object.freeze(addedVia === undefined ? known : { ...known, addedVia })]
    }),
  )
  declarations.set(names, all)
  return names
}

/** Returns the complete declarations for the names in a context. Only core can use it. */
export function declaredConnections({ providers }: { readonly providers: KnownProviders }): Providers {
  const found = declarations.get(providers)
  if (!found) throw new Error('A context contains providers that the registry did not create')
  return found
}
