import { type AgentApp, agentApp } from '../contracts/agent-app'
import type { PluginDeclaration } from '../contracts/plugin'

/** Returns what is wrong with the apps of plugins: their modules, and operations that they cannot show. */
export function appFaults(all: readonly PluginDeclaration[]): string[] {
  const shown = new Map<string, string>()
  return all.flatMap((plugin) =>
    (plugin.provides ?? [])
      .filter(({ point }) => point === agentApp.id)
      .flatMap(({ extension }) => {
        const { name, operation, module } = extension as AgentApp
        const of = `${plugin.name}: `
        const first = shown.get(operation)
        shown.set(operation, name)
        const own = plugin.operations?.find((one) => one.name === operation)
        return [
          ...(own?.class === 'read'
            ? []
            : [`${of}its app ${name} must show an operation of class read of the same plugin`]),
          ...(first === undefined ? [] : [`${of}its app ${name} shows ${operation}, as ${first} does`]),
          ...(module instanceof URL && module.protocol === 'file:' && /\.[jt]sx$/.test(module.pathname)
            ? []
            : [`${of}module of its app ${name} must be a .tsx or .jsx file`]),
        ]
      }),
  )
}
