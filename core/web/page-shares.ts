import type { Person } from '../auth/sessions'
import type { Limits } from '../requests/limits'
import type { RequestState } from '../requests/request'
import { createFairQueue } from '../work/fair-queue'
import { takeTurn } from '../work/loop-turns'
import { currentWork } from '../work/scope'

/** Pages of one person that are made at once; the others of theirs wait. */
const perPerson = 6
const perPersonWaiting = 60
/** Pages that are made at once, and of one agency. */
const all = 64
const perAgency = 16
const perAgencyWaiting = 200

/** People have a share beside the programs of their agency, so that broad filters of an agent do not close its pages. */
const pagesOf = (agencyId: string) => `${agencyId} pages`

/** Shares the rendering of people's pages fairly, and counts it. */
export interface PageShares {
  /** Makes a page of somebody who is signed in. Throws a Refusal above a limit. */
  run(state: RequestState, person: Person, make: () => Promise<Response>): Promise<Response>
}

export function createPageShares(limits: Pick<Limits, 'count'>): PageShares {
  const people = createFairQueue({
    ...{ name: 'pages', slots: Number.POSITIVE_INFINITY },
    ...{ perTenant: perPerson, waitingMax: perPersonWaiting },
  })
  const agencies = createFairQueue({
    ...{ name: 'pages', slots: all, perTenant: perAgency, waitingMax: perAgencyWaiting },
  })
  return {
    async run(state, { id, agency_id }, make) {
      limits.count(state, 'page', { person: id, agency: agency_id })
      const work = currentWork()
      work.tenant = pagesOf(agency_id)
      const { signal, leftMs } = work
      return people.run({ tenant: id, signal, leftMs }, () =>
        agencies.run(work, async () => {
          await takeTurn(work)
          return make()
        }),
      )
    },
  }
}
