import type { KnownProviders, Providers } from '../contracts/connection'

/** The declarations behind the names that contexts carry. */
const declarations = new WeakMap<KnownProviders, Providers>()

/** Returns the names of services, without the functions of the plugins that connect them. Contexts carry these. */
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

/** Returns how people connect accounts, behind the names in a context. Core alone can reach it. */
export function declaredConnections({ providers }: { readonly providers: KnownProviders }): Providers {
  const found = declarations.get(providers)
  if (!found) throw new Error('A context contains providers that the registry did not create')
  return found
}
