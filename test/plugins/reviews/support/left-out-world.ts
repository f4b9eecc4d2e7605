import { isServiceFault } from '../../../../core/contracts/service-fault'
import { where } from '../../../../core/contracts/where'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { sendReply } from '../../../../plugins/reviews/reply/sendReply'
import { syncReviews } from '../../../../plugins/reviews/sync/syncReviews'
import { awaitingAll } from '../../../support/awaiting-all'
import type { Liar } from '../../../support/liar'
import { leaveOut } from '../../../support/schema-paths'
import { createGoogle, type GoogleStandIn, type PlatformReview } from '../../../support/stand-ins/google'
import { platformWorld } from './platform-world'

const minuteMs = 60_000
type PlatformName = 'google' | 'facebook'

/** Changes an honest answer about a location. Null gives none, as if the location were elsewhere. */
export type Cut = (answer: unknown) => unknown

/** Leaves a field out of every review of an answer: of lists, and of single reviews. */
export const cutReviews =
  (path: string): Cut =>
  (answer) => {
    const { reviews, data, ...rest } = answer as { reviews?: unknown; data?: unknown }
    if (reviews !== undefined) return { ...rest, reviews: leaveOut(reviews, path) }
    if (data === undefined) return leaveOut(rest, path)
    // The comments of a story alone have the same fields as those in the list.
    const inner = path.startsWith('open_graph_story.comments.') ? path.slice(26) : ''
    const isComments = (data as readonly object[]).every((one) => 'message' in one || 'from' in one)
    const whole = { ...rest, data }
    if (!isComments) return { ...rest, data: leaveOut(data, path) }
    return inner === '' ? whole : leaveOut(whole, inner)
  }

/** Leaves a field out of the page itself. */
export const cutPage =
  (path: string): Cut =>
  (answer) =>
    'reviews' in (answer as object) || 'data' in (answer as object) ? leaveOut(answer, path) : answer

/** Several locations of one account at a platform, whose answers a test changes per location, and a worker for their jobs. */
export async function leftOutWorld(platform: PlatformName = 'google') {
  const others = new Map<string, GoogleStandIn>()
  const cuts = new Map<string, Cut>()
  const standInOf = (id: string) => (id === '222' ? world.google : others.get(id))
  const liar = {
    async answer(request: Request, honest: () => Promise<Response>): Promise<Response> {
      const url = new URL(request.url)
      if (platform === 'facebook' && url.hostname === 'graph.test') return cut('222', await honest(), request)
      const [, id = ''] = /^\/v4\/accounts\/111\/locations\/(\d+)\//.exec(url.pathname) ?? []
      if (id === '') return honest()
      if (id === '222') return cut(id, await honest(), request)
      const standIn = standInOf(id)
      if (!standIn) return honest()
      for (const token of world.google.tokens) standIn.tokens.add(token)
      url.pathname = url.pathname.replace(`/locations/${id}/`, '/locations/222/')
      const body = request.method === 'GET' ? {} : { body: await request.text() }
      const { method, headers } = request
      const answer = await standIn.fetch(new Request(url.href, { method, headers, ...body }))
      const text = (await answer.text()).replaceAll('/locations/222/', `/locations/${id}/`)
      return cut(id, new Response(text, answer), request)
    },
  }
  async function cut(id: string, honest: Response, request: Request): Promise<Response> {
    const change = cuts.get(id)
    if (!change || request.method !== 'GET' || honest.status !== 200) return honest
    const changed = change(await honest.json())
    if (changed !== null) return Response.json(changed)
    const error = { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' }
    return Response.json({ error }, { status: 404 })
  }
  const world = await platformWorld({ platform, liar: liar as unknown as Liar })
  const { owner, workspace_id } = world
  const locations = new Map([['222', world.location_id]])
  const saved = new Map<string, Record<string, unknown>>()
  const waits = new Map<string, number>()
  const taskOf = (id: string) => ({
    id,
    workspace_id,
    attempt: 1,
    signal: new AbortController().signal,
    saved: saved.get(id) ?? {},
    hold: async () => {},
    progress: async () => {},
    async save(state: Record<string, unknown>) {
      saved.set(id, state)
    },
  })
  const sync = async (id = '222') => {
    const location_id = locations.get(id) ?? ''
    await awaitingAll(owner, (ctx, watchToo) =>
      syncReviews.run(ctx, { location_id, manual: false }, watchToo('task', taskOf(`sync ${id}`))),
    ).catch((error) => (isServiceFault(error) ? undefined : Promise.reject(error)))
    saved.delete(`sync ${id}`)
  }
  /** Runs the replies that are due, as the worker does: each again after the time that its fault says. */
  const sendDue = async () => {
    const now = world.bench.now.getTime()
    const pending = await owner.rows(Review).list({ where: where.eq('auto_response_status', 'pending') })
    for (const { id: review_id, auto_response_scheduled_at = '' } of pending) {
      if (Date.parse(auto_response_scheduled_at) > now || (waits.get(review_id) ?? 0) > now) continue
      await awaitingAll(owner, (ctx, watchToo) =>
        sendReply.run(ctx, { review_id }, watchToo('task', taskOf(review_id))),
      ).catch(async (error) => {
        if (!isServiceFault(error)) throw error
        if (error.retryAfterMs !== undefined) return void waits.set(review_id, now + error.retryAfterMs)
        const { kind, message, code = '' } = error
        await sendReply.onDeadLetter?.(owner, { review_id }, { kind, message, code }, taskOf(review_id))
      })
    }
  }
  return {
    ...world,
    locations,
    sync,
    sendDue,
    /** Leaves something out of the answers about a location until told otherwise. */
    cut: (id: string, change: Cut | null) => void (change === null ? cuts.delete(id) : cuts.set(id, change)),
    standIn: (id: string) => (platform === 'facebook' ? world.facebook : (standInOf(id) ?? world.google)),
    async addLocation(id: string, more: object = {}) {
      others.set(id, createGoogle({ now: () => world.bench.now.getTime() }))
      const location = await owner.rows(BusinessLocation).insert({
        workspace_id,
        business_name: `Acme ${id}`,
        is_active: true,
        is_prospect: false,
        auto_response_enabled: true,
        added_via: 'gbp_oauth',
        google_account_id: 'accounts/111',
        google_location_id: `locations/${id}`,
        country: 'GB',
        ...more,
      })
      const due_at = world.bench.now.toISOString()
      await owner.rows(ReviewListing).insert({ workspace_id, location_id: location.id, due_at })
      locations.set(id, location.id)
    },
    /** Writes a review at a location's platform. */
    write(id: string, source_id: string, changes: Partial<PlatformReview> = {}) {
      const created = Math.floor(world.bench.now.getTime() / 1_000) * 1_000 - minuteMs
      const said = {
        stars: 5,
        text: `Lovely cake ${source_id}`,
        author: 'Ann Lee',
        created,
        updated: created,
      }
      const target = platform === 'facebook' ? world.facebook : standInOf(id)
      target?.reviews.set(source_id, { id: source_id, ...said, ...changes })
    },
    /** Lets hours go by. Each location is read four times an hour, and replies go out when they are due. */
    async hours(count: number, perHour = 1) {
      for (let n = 0; n < count * perHour; n++) {
        world.later((60 / perHour) * minuteMs)
        for (const id of locations.keys()) await sync(id)
        await sendDue()
      }
    },
    rowsOf: (id: string) =>
      owner.rows(Review).list({
        where: where.eq('location_id', locations.get(id) ?? ''),
        limit: 500,
        sort: [{ field: 'id', direction: 'asc' }],
      }),
    doubtOf: async (id: string) =>
      (await owner.rows(BusinessLocation).get(locations.get(id) ?? ''))?.in_doubt ?? null,
  }
}
