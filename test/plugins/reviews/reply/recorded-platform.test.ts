import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startWorker, type Worker } from '../../../../core/jobs/worker'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Review } from '../../../../plugins/reviews/records/Review'
import { actOf, requestReply } from '../../../../plugins/reviews/reply/requestReply'
import { type Gate, startGate } from '../../../support/harness'
import { jobs, platformPlugins } from '../../../support/platforms'
import { quietLog } from '../../../support/quiet-log'
import { waitFor } from '../../../support/wait-for'

let gate: Gate
let worker: Worker
beforeAll(async () => {
  // Nothing outside can be reached from here: `closedOutbound` refuses every request.
  gate = await startGate({ plugins: [jobs, ...platformPlugins] })
  const { documents, owner, registry } = gate
  const clock = { now: () => new Date() }
  worker = startWorker({ queues: registry.queues, documents, owner, clock, log: quietLog, pollEveryMs: 10 })
})
afterAll(async () => {
  await worker?.stop()
  await gate?.stop()
})

test.each(['google', 'facebook'])(
  'a reply in a demo of %s is sent to a platform of its own',
  async (source) => {
    const location = await gate.put(BusinessLocation, {
      business_name: 'Harbour',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      is_demo: true,
      google_account_id: 'accounts/demo',
      google_location_id: 'locations/x',
    })
    const { id, workspace_id } = await gate.put(Review, {
      location_id: location.id,
      source,
      source_id: `demo-${source}`,
      needs_response: true,
      star_rating: source === 'google' ? 2 : null,
      review_text: 'Cold soup',
      ...(source === 'google' ? {} : { source_metadata: { recommendation_type: 'negative' } }),
    })
    const settled = () =>
      waitFor(async () => (await actOf(gate.owner, { id, workspace_id }))?.state !== 'queued', {
        what: 'the reply to be sent',
        timeoutMs: 20_000,
        everyMs: 20,
      })
    const shown = async () => {
      const act = await actOf(gate.owner, { id, workspace_id })
      const row = await gate.owner.rows(Review).get(id)
      return [act?.state, act?.error, row?.reply_text, row?.reply_updated_by, row?.needs_response]
    }
    await requestReply(gate.owner, { review_id: id, text: 'Sorry, guest.' })
    await settled()
    expect(await shown()).toEqual(['sent', undefined, 'Sorry, guest.', 'person', false])
    await requestReply(gate.owner, { review_id: id, text: 'Sorry, Ann.', replaces: 'Sorry, guest.' })
    await settled()
    expect(await shown()).toEqual(['sent', undefined, 'Sorry, Ann.', 'person', false])
  },
  60_000,
)
