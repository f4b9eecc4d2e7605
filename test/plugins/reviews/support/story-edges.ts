import { where } from '../../../../core/contracts/where'
import { AutoResponseRules } from '../../../../plugins/reviews/records/AutoResponseRules'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { requestReply } from '../../../../plugins/reviews/reply/requestReply'
import { hourMs, idOf, locate, minuteMs, type Part, put, reply } from './story-hand'

const thanks = { reply: 'Hello Ann, thank you very much for your review.' }
const status = (code: number) => ({ kind: 'status', status: code }) as const
const none = { google_account_id: undefined, google_location_id: undefined }
const own = { google_account_id: 'accounts/111', google_location_id: 'locations/222' }

/** Automatic replies that are due while something stands against them. */
const dueThen: Part = async (world, step) => {
  const { owner, google, model, agency_id } = world
  await world.rules()
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) put(world, id, { text: 'Lovely bread' })
  await world.sync()
  world.later(3 * hourMs)
  const change = async (id: string, changes: object) =>
    owner.rows(Review).update(await idOf(world, id), changes)
  await change('a', { is_flagged: true })
  await step('a flagged review is not answered', () => reply(world, 'a'))
  await change('b', { removed_at_source_at: world.bench.now.toISOString() })
  await step('a removed review is not answered', () => reply(world, 'b'))
  await change('c', { reply_text: 'Thanks' })
  put(world, 'c', { reply: { text: 'Thanks', at: world.bench.now.getTime(), state: 'APPROVED' } })
  await step('an answered review is not answered', () => reply(world, 'c'))
  await owner.rows(AutoResponseRules).update(agency_id, { is_enabled: false })
  await step('nothing is answered while replies are off', () => reply(world, 'd'))
  await owner.rows(AutoResponseRules).update(agency_id, { is_enabled: true })
  await locate(world, { auto_response_enabled: false })
  await step('nothing is answered while they are off for the location', () => reply(world, 'e'))
  await locate(world, { auto_response_enabled: true, ...none })
  await step('nothing is answered without an account', () => reply(world, 'f'))
  await locate(world, own)
  put(world, 'g', { text: 'Then I called my lawyer' })
  await step('a review that became sensitive is not answered', () => reply(world, 'g'))
  model.answers.splice(0, 9, thanks, thanks)
  // Two looks at the review and one at a known reply come before.
  google.singleFaults.push(null, null, null, status(400))
  await step('a reply is refused for good', () => reply(world, 'h'))
  google.singleFaults.push(null, null, null, status(404))
  await step('a refusal is not the end of a review that still exists', () => reply(world, 'i'))
}

/** Replies of people while something stands against them. */
const askedThen: Part = async (world, step) => {
  const { google, bench, owner } = world
  const texts = ['p', 'q', 'r', 's', 't', 'u']
  for (const id of texts) put(world, id, { stars: 2, text: 'Cold soup' })
  google.mayEdit = true
  await world.sync()
  const send = async (id: string, text: string | undefined = 'We are sorry.') =>
    bench.command('review reply', { review_id: await idOf(world, id), ...(text ? { text } : {}) })
  const act = async (id: string, attempt = 1) => world.act(await idOf(world, id), attempt)
  await step('there is no draft to send', () => send('p', ''))
  await step('a reply is requested', () => send('p'))
  await step('it is requested again', () => send('p'))
  await step('another waits for it', () => send('p', 'Sorry!'))
  google.singleFaults.push(null, null, status(400))
  await step('it is refused', () => act('p'))
  await send('q')
  google.singleFaults.push(null, null, null, status(503))
  await step('it is sent, and cannot be read again', () => act('q'))
  await step('a second reply needs to replace the first', () => send('q', 'Sorry!'))
  await send('r')
  await locate(world, none)
  await step('the account is gone before it is sent', () => act('r'))
  await step('nobody can reply without an account', () => send('s'))
  await locate(world, own)
  await send('s')
  google.hidden.add('s')
  await step('the review is gone before', () => act('s'))
  await send('t')
  put(world, 't', { stars: 2, reply: { text: 'By hand', at: bench.now.getTime(), state: 'APPROVED' } })
  await step('somebody answered by hand before', () => act('t'))
  const review_id = await idOf(world, 'u')
  const request = (more: object) =>
    world.asJob((ctx) => requestReply(ctx, { review_id, text: 'We are sorry.', ...more }))
  await step('an old version is not answered', () => request({ basis: 'old' }))
  await step('a reply that is not there is not replaced', () => request({ replaces: 'Thanks' }))
  await step('an empty reply is refused', () => request({ text: ' \u200b ' }))
  await step('a long one is refused', () => request({ text: 'x'.repeat(4_001) }))
  await step('a promise is approved', () => request({ text: 'You get a full refund.', is_approved: true }))
  await step('and held back', () => act('u'))
  await owner.rows(Review).removeWhere(where.eq('id', review_id))
  await step('the row is gone before', () => world.act(review_id, 2))
}

/** A process that ends, and one that has forgotten everything. */
const restarted: Part = async (world, step) => {
  const { owner, google, location_id } = world
  const fresh = () => ({ ...owner, product: {} })
  for (let n = 0; n < 60; n++)
    put(world, `old${n}`, { created: world.bench.now.getTime() - (90 + n) * 86_400_000 })
  google.faults.push(null, { kind: 'status', status: 503 })
  await step('the second page is missing', () => world.sync(fresh))
  world.later(minuteMs)
  await step('the next attempt goes on there', () => world.again(2))
  world.later(25 * hourMs)
  put(world, 'old1', { text: 'Changed' })
  await step('a process that starts anew reads the log', () => world.sync(fresh))
  await owner
    .rows(ReviewListing)
    .updateWhere(where.eq('location_id', location_id), { read_now_at: world.bench.now.toISOString() })
  world.later(minuteMs)
  await step('a complete sync is wanted', () => world.sync(fresh))
}

/** What happens at the edges of replies and syncs. */
export const edgeParts: readonly Part[] = [dueThen, askedThen]
export const restartParts: readonly Part[] = [restarted]
