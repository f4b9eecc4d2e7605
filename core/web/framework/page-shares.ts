import type { Person } from '../../auth/sessions'
import type { Limits } from '../../requests/limits'
import type { RequestState } from '../../requests/request'
import { createFairQueue } from '../../work/fair-queue'
import { waitForTurn } from '../../work/loop-turns'
import { currentWork } from '../../work/scope'

/** Maximum pages of one person that are rendered at the same time. The others wait. */
const perPerson = 6
const perPersonWaiting = 60
/** Maximum pages that are rendered at the same time, in total and for one agency. */
const all = 64
const perAgency = 16
const perAgencyWaiting = 200

/**
 * The tenant name for people's pages, separate from the agency's programs, so that an agent's broad filters do not
 * block pages.
 */
const pagesOf = (agencyId: string) => `${agencyId} pages`

/** Shares the rendering of pages fairly between people and agencies, and counts it. */
export interface PageShares {
  /** Renders a page for a signed-in person. Throws a Refusal above a limit. */
  run(state: RequestState, person: Person, make: () => Promise<Response>): Promise<Response>
}

export function createPageShares(limits: Pick<Limits, 'count'>): PageShares {
  const people = createFairQueue({
    name: 'pages',
    slots: Number.POSITIVE_INFINITY,
    perTenant: perPerson,
    waitingMax: perPersonWaiting,
  })
  const agencies = createFairQueue({
    name: 'pages',
    slots: all,
    perTenant: perAgency,
    waitingMax: perAgencyWaiting,
  })
  return {
    async run(state, { id, agency_id }, make) {
      limits.count(state, 'page', { person: id, agency: agency_id })
      const work = currentWork()
      work.tenant = pagesOf(agency_id)
      const { signal, leftMs } = work
      return people.run({ tenant: id, signal, leftMs }, () =>
        agencies.run(work, async () => {
          await waitForTurn(work)
          return make()
        }),
      )
    },
  }
}
