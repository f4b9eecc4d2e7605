import type { OwnerContext } from 'renown'
import type { Check, SelfCheck } from 'renown/sources'
import { registryStatus } from './commands'

const name = 'registry of agents'

/** Checks in `bun renown doctor` that the mirror works and its file is valid. */
export const registryCheck: SelfCheck = {
  name: 'registry',
  run: async (ctx) => [await found(ctx)],
}

async function found(ctx: OwnerContext): Promise<Check> {
  const { source, version, last_error, is_expired, expires_at } = await registryStatus(ctx)
  const used = `version ${version} of the ${source}`
  if (last_error !== null)
    return {
      name,
      status: 'warn',
      found: `${used}; the mirror cannot be used: ${last_error}`,
      mend: 'New agents are not counted until the mirror works. Try `bun renown registry refresh`.',
    }
  if (is_expired)
    return {
      name,
      status: 'warn',
      found: `${used}; it expired on ${expires_at?.slice(0, 10)}`,
      mend: 'It is still used. Ask the maintainer of the mirror for a new file.',
    }
  return { name, status: 'ok', found: used }
}
