import type { PluginDeclaration } from '../contracts/plugin'
import { ServiceFault } from '../contracts/service-fault'
import type { Connections } from '../contracts/upkeep'

/**
 * Returns the connections of one plugin: those of the providers that it declares. If its code works for one
 * workspace, only those of that workspace.
 */
export function ownConnections(
  { name, connections: declared = [] }: PluginDeclaration,
  connections: Connections,
  workspace: string | undefined,
): Connections {
  const providers = new Set(declared.map(({ provider }) => provider))
  const isOwn = (of: { readonly provider: string; readonly workspace_id: string }) =>
    providers.has(of.provider) && (workspace === undefined || of.workspace_id === workspace)
  /** If the connection does not exist, the store reports it. */
  const check = async (id: string) => {
    const found = await connections.get(id)
    if (found === null || isOwn(found)) return
    throw new ServiceFault(
      'auth',
      `The plugin ${name} cannot use this connection: it is of another provider or another workspace.`,
      { code: 'foreign_connection' },
    )
  }
  const own: Connections = {
    async get(id) {
      const found = await connections.get(id)
      return found && isOwn(found) ? found : null
    },
    list: async (wanted) => (isOwn(wanted) ? connections.list(wanted) : []),
    async token(id, options) {
      await check(id)
      return connections.token(id, options)
    },
    async fail(id, ...how) {
      await check(id)
      return connections.fail(id, ...how)
    },
    async works(id) {
      await check(id)
      return connections.works(id)
    },
  }
  // Pages get connections that have only reads.
  const given = Object.entries(own).filter(([name]) => Object.hasOwn(connections, name))
  return Object.freeze(Object.fromEntries(given)) as unknown as Connections
}
