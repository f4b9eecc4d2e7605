import type { SystemReads } from '../contracts/owner'
import type { Settings } from '../contracts/settings'
import { dayMs } from '../contracts/time'
import { type LimitQuestion, type UsedLimit, workspaceLimits } from '../contracts/workspace-limits'
import { ServiceDay } from '../outbound/limits/ServiceDay'
import { type LimitName, policiesOf } from '../requests/limit-table'
import type { Principal } from '../requests/request'
import { UsageDay } from '../requests/UsageDay'
import type { Documents } from '../stores/documents/port'
import { locationCapacity } from '../tenancy/locations/location-capacity'

interface Deps {
  readonly documents: Documents
  readonly config: Settings
}

type Asker = Pick<LimitQuestion, 'workspace'> & { readonly principal: Principal }

/** Returns the limits that an asker has, with what is used of them. */
export type UsedLimits = (asker: Asker) => Promise<readonly UsedLimit[]>

/** Creates the function that reads limits. */
export function createUsedLimits({ documents, config }: Deps, owner: SystemReads): UsedLimits {
  const days = documents.collection(ServiceDay)
  return async ({ workspace, principal }) => {
    const now = owner.now().getTime()
    const midnight = Math.floor(now / dayMs) * dayMs
    const today = { from: at(midnight), until: at(midnight + dayMs) }
    const day = today.from.slice(0, 10)
    const asked: LimitQuestion = {
      workspace,
      credential: principal.id,
      today,
      spentToday: async (provider, account) =>
        Number((await days.get(`${provider}:${account}:${day}`))?.used ?? 0),
    }
    const sources = [...owner.extensions(workspaceLimits)].sort((a, b) => a.order - b.order)
    const lists = await Promise.all([
      paidLocations(owner, principal, workspace.agency_id),
      ofCredential(documents, config, principal, today),
      ofModel(config, asked),
      ...sources.map((source) => source.read(owner, asked)),
    ])
    return lists.flat()
  }
}

const at = (ms: number) => new Date(ms).toISOString()

/** Only credentials for the whole agency see how many locations it has. */
async function paidLocations(
  owner: SystemReads,
  principal: Principal,
  agencyId: string,
): Promise<UsedLimit[]> {
  if (principal.workspace_ids || principal.agency_id !== agencyId) return []
  const usages = await Promise.all(
    owner.extensions(locationCapacity).map((one) => one.usage(owner, agencyId)),
  )
  return usages.flatMap(({ paid, used }) =>
    paid === null
      ? []
      : [
          {
            name: 'paid_locations',
            per: 'agency',
            unit: 'locations',
            used,
            limit: paid,
            atLimit: 'A further location is refused, or starts its trial. Active locations stay active.',
          },
        ],
  )
}

const daily: Readonly<Partial<Record<LimitName, readonly [name: string, unit: string]>>> = {
  draftsDay: ['drafts_per_day', 'drafts'],
  reportsDay: ['reports_per_day', 'reports'],
  setupsDay: ['setups_per_day', 'set-ups of trackers'],
}

async function ofCredential(
  documents: Documents,
  config: Settings,
  { id: holder }: Principal,
  window: LimitQuestion['today'],
): Promise<UsedLimit[]> {
  const policies = policiesOf(config)
  const days = documents.collection(UsageDay)
  return Promise.all(
    Object.entries(daily).map(async ([key, [name, unit]]) => {
      const policy = policies[key as LimitName]
      const row = await days.get(`${holder}:${policy.name}:${window.from.slice(0, 10)}`)
      const used = Math.min(Number(row?.used ?? 0), policy.quota)
      return {
        name,
        per: 'credential' as const,
        unit,
        used,
        limit: policy.quota,
        window,
        atLimit: 'Further calls are refused with `quota_exceeded` until the limit starts again.',
      }
    }),
  )
}

async function ofModel(
  config: Settings,
  { workspace, today, spentToday }: LimitQuestion,
): Promise<UsedLimit[]> {
  if (!config.LLM_BASE_URL) return []
  const line = async (
    name: string,
    provider: string,
    limit: number,
    atLimit: string,
  ): Promise<UsedLimit> => ({
    name,
    per: 'workspace',
    unit: 'calls',
    used: await spentToday(provider, workspace.id),
    limit,
    window: today,
    atLimit,
  })
  return Promise.all([
    line(
      'model_calls_per_day',
      'llm',
      config.LLM_CALLS_PER_DAY,
      'Drafts fail, and due replies wait, until the limit starts again.',
    ),
    line(
      'model_background_calls_per_day',
      'llm-background',
      config.LLM_BACKGROUND_CALLS_PER_DAY,
      'Analysing reviews and mentions waits until the limit starts again.',
    ),
  ])
}
