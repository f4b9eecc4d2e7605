import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { everything, where } from '../../../../core/contracts/where'
import { inbox } from '../../../../core/product/inbox-plugin'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { builtin } from '../../../../plugins'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewReply } from '../../../../plugins/reviews/records/ReviewReply'
import { type Gate, startGate } from '../../../support/harness'
import { jobs } from '../../../support/platforms'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

let gate: Gate
let ada: Visitor
beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, jobs, inbox] })
  const { cookie } = await signedIn(gate)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
})
afterAll(() => gate.stop())
beforeEach(async () => {
  for (const entity of [Review, ReviewReply]) await gate.owner.rows(entity).removeWhere(everything)
})

async function drafted(more: object = {}) {
  const { id: location_id } = await gate.put(BusinessLocation, {
    business_name: 'Bakery',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
    added_via: 'gbp_oauth',
    google_account_id: 'accounts/1',
    google_location_id: 'locations/2',
    ...more,
  })
  return gate.put(Review, {
    location_id,
    source: 'google',
    source_id: `g ${location_id}`,
    star_rating: 1,
    needs_response: true,
    review_text: 'Cold soup',
    ai_suggested_response: 'We are sorry.',
    review_created_at: '2026-03-01T10:00:00.000Z',
  })
}
const shown = (id: string) => ada.open(`/app/inbox?entry=drafts~${id}`)
const acts = () => gate.owner.rows(ReviewReply).list({ where: everything, limit: 10 })

test('a draft is sent from the inbox as it is shown, and leaves it while it is on its way', async () => {
  const { id } = await drafted()
  expect((await shown(id)).text).toContain('Send reply')
  const after = await ada.submit('/app/inbox/act')
  expect(after.text).toContain('Started.')
  expect((await acts()).map(({ review_id, text, state, act }) => [review_id, text, state, act])).toEqual([
    [id, 'We are sorry.', 'queued', 'publish'],
  ])
  expect((await ada.open('/app/inbox')).text).not.toContain('Cold soup')
  // It failed: somebody has to look again.
  const failed = { set: { state: 'failed' } } as const
  await gate.documents.collection(ReviewReply).updateMany(where.eq('review_id', id), failed)
  expect((await ada.open('/app/inbox')).text).toContain('Cold soup')
})

test('another draft than the one that was shown is not sent', async () => {
  const { id } = await drafted()
  await shown(id)
  await gate.owner.rows(Review).update(id, { ai_suggested_response: 'Come again, it is free!' })
  expect((await ada.submit('/app/inbox/act')).text).toContain('changed since you opened it')
  expect(await acts()).toEqual([])
})

test('the button in a demo says that nothing leaves this machine, and elsewhere it does not', async () => {
  const words = 'nothing leaves this machine'
  const own = await drafted()
  expect((await shown(own.id)).text).not.toContain(words)
  const workspaces = gate.owner.rows(Workspace)
  await workspaces.update(gate.tenant.workspaceId, { is_demo: true })
  try {
    const { id } = await drafted({ is_demo: true })
    expect((await shown(id)).text).toContain('Send reply')
    expect((await shown(id)).text).toContain(words)
  } finally {
    await workspaces.update(gate.tenant.workspaceId, { is_demo: false })
  }
})

test('there is no button where no reply can be sent, such as for a listing that nobody connected', async () => {
  const { id } = await drafted({
    added_via: 'places',
    google_place_id: 'ChIJ1',
    google_account_id: undefined,
    google_location_id: undefined,
  })
  const page = await shown(id)
  expect(page.text).toContain('We are sorry.')
  expect(page.html).not.toContain('action="/app/inbox/act"')
})
