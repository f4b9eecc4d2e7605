import { where } from '../../../../core/contracts/where'
import { dueInsights } from '../../../../plugins/reviews/operations/drawInsights'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { ReviewReply } from '../../../../plugins/reviews/records/ReviewReply'
import { requestReply } from '../../../../plugins/reviews/reply/requestReply'
import { sendPersonReply } from '../../../../plugins/reviews/reply/sendPersonReply'
import { dueReviews, findLocations } from '../../../../plugins/reviews/sync/dueReviews'
import { readAtOnce, readLocationAtOnce } from '../../../../plugins/reviews/sync/readAtOnce'
import {
  ago,
  analyse,
  dayMs,
  giveUp,
  hourMs,
  idOf,
  locate,
  minuteMs,
  type Part,
  put,
  reply,
  running,
  verdict,
} from './story-hand'

const firstSync: Part = async (world, step) => {
  world.google.mayEdit = true
  await world.rules({ tone: 'concise' })
  put(world, 'a')
  put(world, 'b', { stars: 1, text: 'Cold soup, and then I called my lawyer.' })
  const sorry = { text: 'Sorry', at: ago(world, 30_000), state: 'APPROVED' }
  put(world, 'c', { stars: 2, created: ago(world, 90_000), reply: sorry })
  put(world, 'd', { created: ago(world, 40 * dayMs), updated: ago(world, 40 * dayMs), text: '' })
  put(world, 'e', { stars: 3, text: '(Translated by Google) Fine, but loud.\n\n(Original)\nGut, aber laut.' })
  const hidden = { text: 'Call 555', at: ago(world, 10_000), state: 'REJECTED', violation: 'SPAM' }
  put(world, 'f', { reply: hidden })
  put(world, 'g', { stars: 4, text: 'Great bread, friendly staff.', created: ago(world, 2 * hourMs) })
  await step('the first sync', () => world.sync())
}

const analyses: Part = async (world, step) => {
  const { answers } = world.model
  answers.push(verdict)
  await step('a review is analysed', () => analyse(world, 'a'))
  answers.push({ ...verdict, sentiment: 'negative', sentiment_score: -0.9, is_urgent: true, language: null })
  await step('the model contradicts the stars', () => analyse(world, 'g'))
  answers.push('no JSON', 'no JSON', 'no JSON')
  await step('the answer of the model cannot be read', () => analyse(world, 'e'))
  answers.push(503)
  await step('the model does not answer', () => analyse(world, 'b'))
  const fault = { kind: 'transient', message: 'No answer' } as const
  await step('an analysis is given up', () => giveUp(world, 'analysis', fault, 'b'))
}

const automatic: Part = async (world, step) => {
  const { google, model } = world
  const thanks = { reply: 'Hello Ann, thank you very much for your review.' }
  world.later(95 * minuteMs)
  model.answers.splice(0, 9, thanks)
  await step('an automatic reply is sent', () => reply(world, 'a'))
  await step('it is not sent twice', () => reply(world, 'a'))
  await step('a reply to an urgent review is skipped', () => reply(world, 'g'))
  for (const id of ['h', 'i', 'j', 'k', 'l']) put(world, id, { text: 'Lovely bread' })
  await step('new reviews are found', () => world.sync())
  model.answers.splice(0, 9, thanks, thanks, thanks)
  google.replyFaults.push('rejected')
  await step('a reply is rejected', () => reply(world, 'h'))
  google.replyFaults.push('lost')
  await step('the answer to a reply is lost', () => reply(world, 'i'))
  world.later(5 * minuteMs)
  await step('the next attempt finds the reply', () => reply(world, 'i', 2))
  google.replyFaults.push('refused')
  await step('a reply is refused', () => reply(world, 'j'))
  const refused = { kind: 'permission', message: 'Not allowed' } as const
  await step('a reply is given up', () => giveUp(world, 'reply', refused, 'j'))
  const lie = { reply: 'You get a full refund of 50 euros at www.example.com.', needs_person: false }
  model.answers.splice(0, 9, lie, lie)
  await step('a reply is held back', () => reply(world, 'k'))
  google.singleFaults.push({ kind: 'status', status: 503, retryAfter: '90' })
  await step('the platform asks to wait', () => reply(world, 'l'))
  google.hidden.add('l')
  await step('a review is gone when its reply is due', () => reply(world, 'l', 2))
  google.hidden.delete('l')
}

const personal: Part = async (world, step) => {
  const { google, bench } = world
  const text = 'Dear Ann, we are sorry about the cold soup.'
  const review_id = await idOf(world, 'b')
  const send = (more: object = {}) => bench.command('review reply', { review_id, text, ...more })
  await step('a person replies', () => world.asJob((ctx) => requestReply(ctx, { review_id, text })))
  google.singleFaults.push(null, null, { kind: 'status', status: 503 })
  await step('their reply fails once', () => world.act(review_id))
  await step('their reply is sent', () => world.act(review_id, 2))
  await step('it is changed', () => send({ text: `${text} Yours, Bo.`, replace: true }))
  await step('the change is sent', () => world.act(review_id))
  await step('it is deleted', () => bench.command('review reply delete', { review_id }))
  await step('the deletion is sent', () => world.act(review_id))
  await step('a reply is requested', () => send())
  await step('it is cancelled', () => bench.command('review reply cancel', { review_id }))
  await step('another is requested', () => send())
  google.replyFaults.push('rejected')
  await step('it is rejected', () => world.act(review_id))
  await step('a better one is requested', () => send({ text: 'We are sorry.' }))
  put(world, 'b', { text: 'Cold soup. The lawyer was a joke.' })
  await step('the review changed before', () => world.act(review_id))
  await step('a last one is requested', () => send({ text: 'We are very sorry.' }))
  await step('it is given up', () =>
    world.asJob(async (ctx) => {
      const [act] = await ctx.rows(ReviewReply).list({ where: where.eq('review_id', review_id), limit: 1 })
      const fault = { kind: 'auth', message: 'Expired' } as const
      const job = { id: 'job', workspace_id: world.workspace_id, attempt: 8, saved: {} }
      await sendPersonReply.onDeadLetter?.(ctx, { review_id, act_id: act?.act_id ?? '' }, fault, job)
    }),
  )
}

const changes: Part = async (world, step) => {
  const { google } = world
  world.later(25 * hourMs)
  google.reviews.delete('e')
  delete google.reviews.get('a')?.reply
  put(world, 'c', { text: 'Better now', stars: 4 })
  put(world, 'd', { reply: { text: 'Thank you', at: ago(world, 0), state: 'APPROVED' } })
  put(world, 'i', { reply: { text: 'Thanks', at: ago(world, 0), state: 'REJECTED', violation: 'SPAM' } })
  await step('reviews changed, and one is gone', () => world.sync())
  put(world, 'e', { text: 'Gut, aber laut.' })
  world.later(20 * minuteMs)
  await step('it is back', () => world.sync())
  world.later(20 * minuteMs)
  await step('nothing changed', () => world.sync())
  world.later(20 * minuteMs)
  for (const id of ['f', 'g', 'h', 'i', 'j', 'k', 'l']) google.hidden.add(id)
  await step('most reviews are missing', () => world.sync())
  google.hidden.clear()
  world.later(2 * hourMs)
  await step('they are back', () => world.sync())
}

const faults: Part = async (world, step) => {
  const { google } = world
  for (const kind of ['broken', 'drift', 'loop', 'empty'] as const) {
    world.later(25 * hourMs)
    google.faults.push({ kind }, { kind })
    await step(`the listing is ${kind}`, () => world.sync())
    google.faults.length = 0
  }
  for (const [status, kind, code] of [
    [503, 'transient', undefined],
    [403, 'permission', undefined],
    [404, 'permanent', undefined],
    [401, 'auth', 'no_connection'],
    [400, 'unsupported', undefined],
  ] as const) {
    world.later(25 * hourMs)
    google.faults.push({ kind: 'status', status, retryAfter: '120' })
    await step(`the platform answers ${status}`, () => world.sync())
    google.faults.length = 0
    const fault = { kind, message: `It is ${kind}.`, ...(code ? { code } : {}) }
    await step(`the sync is given up as ${kind}`, () => giveUp(world, 'sync', fault))
  }
  const waiting = { kind: 'transient', code: 'not_ready', message: 'It is not ready.' } as const
  await step('the sync is given up while its task is not ready', () => giveUp(world, 'sync', waiting))
  const permanent = { kind: 'permanent', message: 'It is over.' } as const
  await step('it is given up without a stored listing', async () => {
    const own = where.eq('location_id', world.location_id)
    const [listing] = await world.owner.rows(ReviewListing).list({ where: own, limit: 1 })
    await world.owner.rows(ReviewListing).removeWhere(own)
    await giveUp(world, 'sync', permanent)
    if (listing) await world.bench.collection(ReviewListing).insert(listing)
  })
  world.later(25 * hourMs)
  await step('a sync works again', () => world.sync())
}

const requests: Part = async (world, step) => {
  const { bench, owner, location_id, workspace_id } = world
  const job = (run: (ctx: typeof owner) => Promise<unknown>) => () =>
    world.asJob(async (ctx) => void (await run(ctx)))
  await step('a sync is requested', () => bench.command('review sync', { location_id }))
  world.later(1_000)
  await step('all are read', () => world.sync(undefined, true))
  const ready = (provider: string) =>
    ({ workspace_id, data: { provider, account_id: 'accounts/111' } }) as never
  await step(
    'its account is connected',
    job((ctx) => readAtOnce(ctx, ready('google'))),
  )
  await step(
    'its page is connected',
    job((ctx) => readAtOnce(ctx, ready('facebook'))),
  )
  await step(
    'the location is ready',
    job((ctx) => readLocationAtOnce(ctx, { location_id })),
  )
  await locate(world, { is_active: false })
  await step(
    'a paused location is not due',
    job((ctx) => findLocations.run(ctx, running)),
  )
  await step('a paused location is not read', () => world.sync())
  await step('a sync of it is refused', () => bench.command('review sync', { location_id }))
  await locate(world, { is_active: true })
  await step(
    'a resumed location is due',
    job((ctx) => findLocations.run(ctx, running)),
  )
  await step(
    'and queued',
    job((ctx) => dueReviews.run(ctx, running)),
  )
  world.later(8 * dayMs)
  await step(
    'insights are due',
    job((ctx) => dueInsights.run(ctx, running)),
  )
  world.model.answers.splice(0, 9, {
    summary: 'Good bread.',
    praised: ['bread', 'see www.example.com'],
    criticised: ['noise'],
  })
  await step('insights are drawn', () => world.insights())
  await step(
    'they are fresh',
    job((ctx) => dueInsights.run(ctx, running)),
  )
  await step('the log is verified', () => bench.command('review verify', {}))
  await step('the reviews are explained', () => bench.command('review explain', { location_id }))
  await step('they are listed', () => bench.command('review list', { limit: 3 }))
  const review_id = await idOf(world, 'a')
  await step('one is marked', () => bench.command('review mark', { review_id, state: 'read' }))
  await step('flagged', () => bench.command('review flag', { review_id, reason: 'Call her' }))
  await step('and noted', () => bench.command('review note set', { review_id, text: 'Called' }))
  await step('the flag is removed', () => bench.command('review unflag', { review_id }))
}

/** A location of Google, from its first sync to its last. */
export const googleParts: readonly Part[] = [
  firstSync,
  analyses,
  automatic,
  personal,
  changes,
  faults,
  requests,
]
