import type { PluginDeclaration } from '../contracts/plugin'
import { oneAtATime, type Turns } from '../jobs/one-at-a-time'
import { findDemo } from './create'
import { demoSeed, makeDemo } from './plugin'

/** The demo of an installation. Its key is present only on the start that created it. */
export interface StandingDemo {
  readonly agency_id: string
  readonly agent_key?: string
  readonly workspaces?: readonly { readonly id: string; readonly name: string }[]
}

interface Deps extends Turns {
  readonly plugins: readonly PluginDeclaration[]
  readonly wanted: boolean
}

/** Returns the demo. Creates it when it is wanted and missing or incomplete. */
export async function standingDemo(deps: Deps): Promise<StandingDemo | null> {
  const { owner, plugins, wanted } = deps
  const look = async () => {
    const agency = await findDemo(owner)
    return agency?.is_active ? { agency_id: agency.id } : null
  }
  const known = await look()
  if (known || !wanted) return known
  return oneAtATime(deps, 'demo', async () => {
    const made = await look()
    if (made) return made
    const { agency_id, agent_key, workspaces } = await makeDemo(owner, plugins, { seed: demoSeed })
    return { agency_id, agent_key, workspaces }
  })
}
