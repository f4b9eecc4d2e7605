import type { FaultInfo } from '../../../../core/contracts/service-fault'
import { where } from '../../../../core/contracts/where'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { analyseReview } from '../../../../plugins/reviews/analysis/analyseReview'
import { Review } from '../../../../plugins/reviews/records/Review'
import { sendReply } from '../../../../plugins/reviews/reply/sendReply'
import { syncReviews } from '../../../../plugins/reviews/sync/syncReviews'
import type { PlatformReview } from '../../../support/stand-ins/google'
import type { platformWorld } from './platform-world'

export type World = Awaited<ReturnType<typeof platformWorld>>
export type Step = (name: string, act: () => Promise<unknown>) => Promise<void>
export type Part = (world: World, step: Step) => Promise<void>

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const llm = { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' }
export const verdict = {
  language: 'en',
  sentiment: 'positive',
  sentiment_score: 0.7,
  emotion: 'joy',
  topics: ['atmosphere'],
  is_urgent: false,
}
export const running = new AbortController().signal

export const ago = (world: World, ms: number) => world.bench.now.getTime() - ms

/** Writes a review at both platforms, or changes it. No two are written at the same time. */
export function put(world: World, id: string, changes: Partial<PlatformReview> = {}) {
  const at = ago(world, 0)
  const fresh = {
    id,
    stars: 5,
    text: `Lovely ${id}`,
    author: 'Ann Lee',
    created: at - world.google.reviews.size,
  }
  const review = { ...fresh, ...world.google.reviews.get(id), updated: at, ...changes }
  world.google.reviews.set(id, review)
  world.facebook.reviews.set(id, review)
}

async function rowOf(world: World, id: string) {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id), limit: 1 })
  if (!row) throw new Error(`no row ${id}`)
  return row
}
export const idOf = async (world: World, id: string) => (await rowOf(world, id)).id
export const reply = async (world: World, id: string, attempt = 1) =>
  world.reply(await idOf(world, id), attempt)
export const analyse = async (world: World, id: string) => world.analyse(await idOf(world, id))
export const locate = (world: World, changes: object) =>
  world.owner.rows(BusinessLocation).update(world.location_id, changes)

/** Tells a queue that its job has failed for good. */
export async function giveUp(world: World, queue: 'sync' | 'analysis' | 'reply', fault: FaultInfo, id = '') {
  const job = { id: 'job', workspace_id: world.workspace_id, attempt: 8, saved: {} }
  const review_id = id === '' ? '' : await idOf(world, id)
  await world.asJob(async (ctx) => {
    if (queue === 'analysis') await analyseReview.onDeadLetter?.(ctx, { review_id }, fault, job)
    if (queue === 'reply') await sendReply.onDeadLetter?.(ctx, { review_id }, fault, job)
    const payload = { location_id: world.location_id, manual: false }
    if (queue === 'sync') await syncReviews.onDeadLetter?.(ctx, payload, fault, job)
  })
}
