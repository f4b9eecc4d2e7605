import type { Row } from '../../../../core/contracts/entity'
import { where } from '../../../../core/contracts/where'
import { getReputationSummary } from '../../../../plugins/reviews/operations/getReputationSummary'
import { getReviewAnalytics } from '../../../../plugins/reviews/operations/getReviewAnalytics'
import { listReviewsNeedingResponse } from '../../../../plugins/reviews/operations/listReviewsNeedingResponse'
import { replay } from '../../../../plugins/reviews/proof/replay'
import { Review } from '../../../../plugins/reviews/records/Review'
import type { PlatformReview } from '../../../support/stand-ins/google'
import type { LivePlatform } from './live-platform'
import type { platformWorld } from './platform-world'
import type { Platform } from './year-steps'

type ReviewRow = Row<typeof Review>
type World = Awaited<ReturnType<typeof platformWorld>>

/** Something stored is not the truth. Two findings of one kind are one and the same to whoever shrinks a year. */
export class Finding extends Error {
  readonly kind: string
  readonly step: number | undefined
  constructor(kind: string, detail: string, step?: number) {
    super(`${kind}: ${detail}${step === undefined ? '' : `, at step ${step}`}`)
    this.kind = kind
    this.step = step
  }
  at(step: number): Finding {
    return new Finding(this.kind, this.message.slice(this.kind.length + 2), step)
  }
}

/** What is known of a reading that is over. */
interface Reading {
  /** It says that it was complete. */
  readonly isProved: boolean
  /** The platform dropped nothing in silence. */
  readonly isHonest: boolean
  /** The platform acted as if it had less. */
  readonly hides: boolean
  /** The clock stood no later than an instant that was stamped already. */
  readonly isBack: boolean
}

interface Watched {
  readonly began: number
  /** Reviews at the beginning, with what they said. */
  readonly before: ReadonlyMap<string, string>
}

const hourMs = 3_600_000
/** So many may vanish by one reading; more need a second. */
const alone = 5

/** Holds what is stored against the truth, with rules of its own: it knows what really happened, and not how it was read. */
export function createJudge(world: World, platform: Platform, life: LivePlatform) {
  const { bench, location_id } = world
  const own = where.eq('location_id', location_id)
  const visibleRows = () =>
    world.owner
      .rows(Review)
      .list({ where: where.and(own, where.eq('removed_at_source_at', null)), limit: 10_000 })
  const stamps = new Map<string, string>()
  /** Since which complete reading a review that is listed has been away. */
  const missed = new Map<string, number>()
  let flagged = 0
  let isClear = false
  let listed = 0
  let looks = 0

  const newlyFlagged = async ({ began }: Watched) => {
    let count = 0
    const span = where.and(
      where.gte('removed_at_source_at', new Date(began).toISOString()),
      where.lte('removed_at_source_at', bench.now.toISOString()),
    )
    const rows = await world.owner.rows(Review).list({ where: where.and(own, span), limit: 10_000 })
    for (const { source_id, removed_at_source_at } of rows) {
      const stamp = String(removed_at_source_at)
      if (stamps.get(source_id) === stamp) continue
      stamps.set(source_id, stamp)
      count++
      // It was not there for at least one moment of the reading that says so.
      if (life.reviews.has(source_id) && !life.moved.has(source_id)) {
        throw new Finding('wrong removal', `${source_id} is there`)
      }
    }
    flagged += count
    return count
  }

  const mustBeGone = (
    rows: readonly ReviewRow[],
    { began }: Watched,
    { hides, isBack, gone }: Reading & { gone: number },
  ) => {
    const away = rows.filter(({ source_id }) => !life.reviews.has(source_id) && !life.moved.has(source_id))
    for (const id of missed.keys()) if (!away.some(({ source_id }) => source_id === id)) missed.delete(id)
    if (hides || isBack) return
    // The pages may have shown, or missed, what moved meanwhile.
    const most = away.length + gone + life.moved.size
    const isFew = platform === 'google' && most <= alone && life.reviews.size > life.moved.size
    for (const { source_id } of away) {
      const since = missed.get(source_id)
      const isTwice = since !== undefined && began - since >= hourMs
      if (isFew || isTwice) throw new Finding('missed removal', `${source_id} is gone and still listed`)
      if (since === undefined) missed.set(source_id, bench.now.getTime())
    }
  }

  const mustBeTrue = (rows: readonly ReviewRow[], { before }: Watched) => {
    const byId = new Map(rows.map((row) => [row.source_id, row]))
    for (const [id, review] of life.reviews) {
      if (before.get(id) !== printOf(review)) continue
      const row = byId.get(id)
      if (!row) throw new Finding('lost review', `${id} is there and not listed`)
      const said = saidBy(row)
      const told = tellOf(platform, review)
      if (said !== told) throw new Finding('lost edit', `${id} says ${told}, and the row says ${said}`)
    }
  }

  /** Every figure leaves out what was removed and counts the rest. */
  const figures = async () => {
    const at = { workspace: world.workspace_id }
    const [rows, analytics, summary, queue] = await Promise.all([
      visibleRows(),
      bench.ask(getReviewAnalytics, { days: 366 }, at),
      bench.ask(getReputationSummary, { days: 366 }, at),
      bench.ask(listReviewsNeedingResponse, { limit: 1 }, at),
    ])
    const { date_from, date_to } = analytics.period
    const inside = rows.filter(({ review_created_at = '' }) => {
      const day = review_created_at.slice(0, 10)
      return day >= date_from && day <= date_to
    })
    const waiting = rows.filter((row) => row.needs_response && row.reply_text === undefined).length
    const stars = inside.flatMap(({ star_rating }) => (star_rating == null ? [] : [star_rating]))
    const good = stars.filter((n) => n >= 4).length
    const average = stars.length === 0 ? null : stars.reduce((sum, n) => sum + n, 0) / stars.length
    const wanted = [inside.length, stars.length, rounded(average), good, stars.length, waiting, waiting]
    const { totals } = analytics
    const got = [totals.reviews, totals.rated, rounded(totals.average_rating)]
    const rates = [totals.positive_share.k, totals.positive_share.n]
    const all = [...got, ...rates, summary.waiting, queue.total]
    if (String(all) !== String(wanted)) throw new Finding('wrong figures', `${all} instead of ${wanted}`)
    if (summary.reviews.reviews !== inside.length || totals.response_rate.n !== inside.length) {
      throw new Finding('wrong figures', `${summary.reviews.reviews} reviews of ${inside.length}`)
    }
  }

  const chainIsSound = async () => {
    const chain = { workspace_id: world.workspace_id, location_id, source: platform }
    const { fault, standing } = await replay({ ...world.owner }, chain)
    if (fault) throw new Finding('broken chain', `entry ${fault.seq}: ${fault.fault}`)
    return standing
  }

  /** The platform was never asked in a way that it would refuse, nor told a second reply. */
  const nothingWrong = () => {
    const { complaints } = world[platform]
    if (complaints.length > 0) throw new Finding('complaint', complaints.slice(0, 3).join('; '))
  }

  return {
    flagged: () => flagged,
    /** One at a time, and so large that a second reading is asked for: of less nobody could tell. */
    allowsHiccup: (share: number) => isClear && Math.floor(listed * share) > Math.max(alone, listed / 10) + 5,
    watch: (): Watched => ({
      began: life.look(),
      before: new Map([...life.reviews.values()].map((review) => [review.id, printOf(review)])),
    }),
    async after(watched: Watched, reading: Reading) {
      const gone = await newlyFlagged(watched)
      const { isProved, isHonest, hides } = reading
      if (!isHonest || hides) isClear = false
      if (isProved && isHonest) {
        const rows = await visibleRows()
        mustBeGone(rows, watched, { ...reading, gone })
        if (!hides) mustBeTrue(rows, watched)
        isClear = !hides && rows.every(({ source_id }) => life.reviews.has(source_id))
        listed = rows.length
      }
      if (++looks % 25 === 0) await figures()
      if (looks % 150 === 0) await chainIsSound()
      nothingWrong()
    },
    /** Readings have caught up with a platform that changes no more. */
    async atRest() {
      const rows = await visibleRows()
      const stored = rows.map(({ source_id }) => source_id).sort()
      const truth = [...life.reviews.keys()].sort()
      if (String(stored) !== String(truth)) throw new Finding('wrong rows', `${stored} instead of ${truth}`)
      mustBeTrue(rows, {
        began: 0,
        before: new Map([...life.reviews.values()].map((one) => [one.id, printOf(one)])),
      })
      await figures()
      const standing = await chainIsSound()
      if (String([...standing.keys()].sort()) !== String(truth)) {
        throw new Finding('broken chain', 'what stands by it is not what is there')
      }
      nothingWrong()
    },
  }
}

const rounded = (average: number | null) => (average === null ? null : Math.round(average * 1e4) / 1e4)

const printOf = ({ stars, text, reply }: PlatformReview) => JSON.stringify([stars, text, reply?.text])

const tellOf = (platform: Platform, { stars, text, reply }: PlatformReview) =>
  JSON.stringify([platform === 'google' ? stars : stars >= 3 ? 'positive' : 'negative', text, reply?.text])

const saidBy = ({ star_rating, source_metadata, review_text = '', reply_text }: ReviewRow) =>
  JSON.stringify([star_rating ?? source_metadata?.recommendation_type, review_text, reply_text])
