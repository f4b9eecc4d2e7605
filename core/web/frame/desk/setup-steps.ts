import { messageOf } from '../../../contracts/errors'
import type { Log, OwnerContext, SystemReads } from '../../../contracts/plugin'
import { type SetupStep, setupStep } from '../../../contracts/setup'
import { minuteMs } from '../../../contracts/time'
import type { Clock } from '../../../process/clock'
import { systemReads } from '../../../registry/own-context'
import { mayOpen, type PageReader, type Route } from '../../framework/route'

/** A step that the owner of a workspace has not done yet. */
export type OpenStep = Pick<SetupStep, 'label' | 'href'>

/** Finds the open steps of a workspace for the side bar of every page. */
export interface SetupSteps {
  /** Returns the open steps that this person can do, in order. None for members and in a demo. Never throws. */
  open(pages: readonly Route[], who: Pick<PageReader, 'person' | 'place'>): Promise<readonly OpenStep[]>
  /** Checks the steps of an agency again at the next page. Call it after a form. */
  forget(agencyId: string): void
}

interface SetupStepsDeps {
  readonly owner: OwnerContext
  readonly clock: Clock
  readonly log: Log
  /** Milliseconds after which a page no longer waits for a check. */
  readonly waitMs?: number
}

type State = 'done' | 'open' | 'unknown'

/** How long an answer is used. Steps are rarely undone, and agents and commands do some without a form. */
const cachedMs = { done: 5 * minuteMs, open: minuteMs / 4, unknown: minuteMs } as const

const agenciesMax = 1_000

export function createSetupSteps({ owner, clock, log, waitMs = 3_000 }: SetupStepsDeps): SetupSteps {
  const steps = owner.extensions(setupStep).toSorted((a, b) => a.order - b.order)
  const reads = systemReads(owner)
  const cached = new Map<string, Map<string, { readonly state: State; readonly until: number }>>()

  const ofAgency = (id: string) => {
    const known = cached.get(id) ?? new Map()
    if (cached.size >= agenciesMax) cached.clear()
    cached.set(id, known)
    return known
  }

  const check = async (step: SetupStep, workspaceId: string): Promise<State> => {
    try {
      return (await within(waitMs, step, reads, workspaceId)) ? 'done' : 'open'
    } catch (error) {
      const about = { step: step.name, workspace_id: workspaceId, error: messageOf(error) }
      log.warn('A setup step could not be checked, so it is not shown', about)
      return 'unknown'
    }
  }

  return {
    async open(pages, { person, place }) {
      if (person.role !== 'owner' || !place || place.is_demo) return []
      const known = ofAgency(person.agency_id)
      const shown = steps.filter(({ href }) =>
        pages.some((page) => page.method === 'GET' && page.path === href && mayOpen(page, person)),
      )
      const now = clock.now().getTime()
      const states = await Promise.all(
        shown.map(async (step) => {
          const key = `${place.id} ${step.name}`
          const last = known.get(key)
          if (last && now < last.until) return last.state
          const state = await check(step, place.id)
          known.set(key, { state, until: now + cachedMs[state] })
          return state
        }),
      )
      return shown.filter((_, index) => states[index] === 'open').map(({ label, href }) => ({ label, href }))
    },
    forget: (agencyId) => void cached.delete(agencyId),
  }
}

/** Runs a check of a step. Throws if it takes longer than the wait, or does not answer yes or no. */
async function within(waitMs: number, step: SetupStep, reads: SystemReads, workspaceId: string) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${waitMs} ms`)), waitMs)
  try {
    const isDone: unknown = await Promise.race([step.isDone(reads, workspaceId), late.promise])
    if (typeof isDone !== 'boolean') throw new Error(`isDone returned ${typeof isDone}, not true or false`)
    return isDone
  } finally {
    clearTimeout(timer)
  }
}
