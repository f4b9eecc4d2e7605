import { defineCommand, defineOperatorCommand, type OwnerContext } from 'renown'
import { releaseRegistryVersion } from 'renown/traffic'
import * as v from 'valibot'
import { MirrorRegistry } from '../records/MirrorRegistry'
import { trafficSettings } from '../settings'
import { registryInUse, registryRow } from './registry-in-use'
import { renewNow } from './renewRegistry'

/** Where the registry in use comes from, and how the last renewal ended. */
export interface RegistryStatus {
  readonly source: 'release' | 'mirror'
  readonly version: number
  readonly agents: number | null
  readonly assistants: number | null
  /** When the registry of the mirror was accepted and until when it is valid. */
  readonly accepted_at: string | null
  readonly expires_at: string | null
  readonly is_expired: boolean
  readonly mirror: string | null
  readonly checked_at: string | null
  readonly last_error: string | null
}

/** Returns the state of the registry. */
export async function registryStatus(ctx: OwnerContext): Promise<RegistryStatus> {
  const url = trafficSettings.of(ctx).RENOWN_REGISTRY_URL
  const registry = await registryInUse(ctx, ctx)
  const row = url === '' ? null : await ctx.rows(MirrorRegistry).get(registryRow)
  const expires_at = registry?.expires_at ?? null
  return {
    source: registry ? 'mirror' : 'release',
    version: registry?.version ?? releaseRegistryVersion,
    agents: registry?.agents.length ?? null,
    assistants: registry?.assistants.length ?? null,
    accepted_at: registry ? (row?.accepted_at ?? null) : null,
    expires_at,
    is_expired: expires_at !== null && Date.parse(expires_at) <= ctx.now().getTime(),
    mirror: url === '' ? null : new URL(url).host,
    checked_at: row?.checked_at ?? null,
    last_error: row?.last_error ?? null,
  }
}

const statusCommand = defineCommand({
  name: 'registry show',
  summary: 'Show which registry of AI agents is used, and how its last renewal ended',
  input: v.strictObject({}),
  isBad: ({ last_error, is_expired }) => last_error !== null || is_expired === true,
  run: async (ctx) => ({ ...(await registryStatus(ctx)) }),
})

const refreshCommand = defineOperatorCommand({
  name: 'registry refresh',
  summary: 'Ask the mirror now; exit code 1 if its file cannot be used',
  input: v.strictObject({}),
  isBad: ({ last_error }) => last_error !== null,
  async run(ctx) {
    await renewNow(ctx)
    return { ...(await registryStatus(ctx)) }
  },
})

/** The commands that need the installation. */
export const registryCommands = [statusCommand, refreshCommand]
