import type { OwnerContext, PluginDeclaration } from '../contracts/plugin'
import { findDemo, type ReportProgress } from './create'
import { demoTurn, makeDemo } from './plugin'
import { demoSeed } from './world'

/** The demo of an installation. Its key is present only on the start that created it. */
export interface InstalledDemo {
  readonly agency_id: string
  readonly agent_key?: string
  readonly workspaces?: readonly { readonly id: string; readonly name: string }[]
}

interface Deps {
  readonly owner: OwnerContext
  readonly plugins: readonly PluginDeclaration[]
  readonly wanted: boolean
  readonly tell?: ReportProgress
}

/** Returns the demo. Creates it if it is wanted and missing or incomplete. */
export async function ensureDemo(deps: Deps): Promise<InstalledDemo | null> {
  const { owner, plugins, wanted, tell } = deps
  const look = async () => {
    const agency = await findDemo(owner)
    return agency?.is_active ? { agency_id: agency.id } : null
  }
  const existing = await look()
  if (existing || !wanted) return existing
  return owner.withLock(demoTurn, async () => {
    const made = await look()
    if (made) return made
    const { agency_id, agent_key, workspaces } = await makeDemo(owner, plugins, { seed: demoSeed }, tell)
    return { agency_id, agent_key, workspaces }
  })
}
