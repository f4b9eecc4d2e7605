import { type OwnerContext, type Row, type SystemReads, where } from 'renown'
import { productState } from 'renown/pages'
import { type AgentRegistry, openRegistry, releaseRegistryKeys, releaseRegistryVersion } from 'renown/traffic'
import { MirrorRegistry } from '../records/MirrorRegistry'
import { type Operators, operatorsWith, releaseOperators } from '../records/operators'
import { trafficSettings } from '../settings'

/** The only row. */
export const registryRow = 'reg_mirror'

/** What finds the registry in use. */
export type RegistryReads = Pick<SystemReads, 'rows' | 'settings' | 'log'>

/** The registry of a mirror that this process uses, and the operators in it. */
interface InUse {
  version: number
  registry: AgentRegistry | undefined
  operators: Operators
}

const inUse = productState<InUse>(() => ({ version: 0, registry: undefined, operators: releaseOperators }))

/** Returns the operators of assistants as the registry in use has them. */
export const currentOperators = (ctx: Pick<OwnerContext, 'product'>): Operators => inUse(ctx).operators

/** Returns the keys whose registries are accepted. */
export const trustedKeys = (ctx: Pick<OwnerContext, 'settings'>): readonly string[] => [
  ...releaseRegistryKeys,
  ...trafficSettings.of(ctx).RENOWN_REGISTRY_KEYS,
]

/**
 * Returns the registry of the mirror, or undefined if the one of the release is used: without a mirror, with a key that
 * is no longer trusted, or if the release is newer. Reads the row only if its version is another one.
 */
export async function registryInUse(
  ctx: RegistryReads,
  running: Pick<OwnerContext, 'product'>,
): Promise<AgentRegistry | undefined> {
  const state = inUse(running)
  if (trafficSettings.of(ctx).RENOWN_REGISTRY_URL === '') return undefined
  const [row] = await ctx.rows(MirrorRegistry).list({
    where: where.and(where.eq('id', registryRow), where.ne('version', state.version)),
    limit: 1,
  })
  if (row) useRegistry(ctx, running, row)
  return state.registry
}

/** Uses the registry of a row in this process. */
export function useRegistry(
  ctx: RegistryReads,
  running: Pick<OwnerContext, 'product'>,
  row: Row<typeof MirrorRegistry>,
): void {
  const registry = usable(ctx, row)
  Object.assign(inUse(running), {
    version: row.version,
    registry,
    operators: registry ? operatorsWith(registry) : releaseOperators,
  })
}

function usable(
  ctx: RegistryReads,
  { version, text }: Row<typeof MirrorRegistry>,
): AgentRegistry | undefined {
  if (version <= releaseRegistryVersion) return undefined
  try {
    return openRegistry(Buffer.from(text), trustedKeys(ctx)).registry
  } catch (error) {
    ctx.log.warn('the stored registry of agents cannot be used', { reason: String(error) })
    return undefined
  }
}
