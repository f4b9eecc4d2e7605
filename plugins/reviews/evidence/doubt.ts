import { type OwnerContext, type Row, where } from 'renown'
import type { Doubt } from 'renown/sources'
import { formatCount } from 'renown/web'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewedLocation as Location } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { quietMs, type ReplyEvidence, storedEvidence } from './reply-evidence'

type LocationRow = Row<typeof ReviewedLocation>
type Doubted = Pick<LocationRow, 'in_doubt'>

/** Replies contradict what is stored: nobody sends a new one. */
const aboutReplies = 'replies'
/** The replies are there again. Automatic replies wait for a day without a contradiction. */
const aboutAutomatic = 'automatic_replies'
/** The texts of known reviews are missing: nobody knows what a review without text says. */
const aboutTexts = 'texts'
const doubts: readonly string[] = [aboutReplies, aboutAutomatic, aboutTexts]

/** Returns the doubt of a location about its replies or the texts of its reviews, or null. */
export const doubtOf = ({ in_doubt }: Doubted): Doubt | null =>
  in_doubt && doubts.includes(in_doubt.about) ? in_doubt : null

/** Whether a location is in doubt only because the texts of known reviews are missing. Each look checks that again. */
export const isTextless = ({ about }: Pick<Doubt, 'about'>): boolean => about === aboutTexts

/** Whether people cannot send a new reply either, because known replies are missing right now. */
export const isContradicted = ({ in_doubt }: Doubted): boolean => in_doubt?.about === aboutReplies

/** Returns what people read while known replies are missing, or while the platform says nothing about replies. */
export const whyMissing = (label: string, missing: number): string =>
  missing === 0 ? whyUnclear(label) : whyLost(label, missing)

const whyUnclear = (label: string) =>
  `The answers of ${label} leave out whether reviews of this location have a reply. Renown keeps the replies that it knows. Until the answers are complete, nothing new is sent, because the review could have a reply.`

const whyLost = (label: string, missing: number) =>
  `${label} no longer returns ${formatCount(missing, 'reply', 'replies')} that ${missing === 1 ? 'is' : 'are'} stored here. Renown keeps ${missing === 1 ? 'it' : 'them'} until it is proven that ${missing === 1 ? 'it was' : 'they were'} withdrawn. Until then, nothing new is sent, because it could replace a reply that exists.`

/** Returns why people cannot send a new reply now, and when they can. */
export const whyNotNow = ({ in_doubt }: Doubted, label: string): string =>
  `${in_doubt?.why ?? ''} You can send a reply as soon as ${label} returns them again, or when Renown knows that they were withdrawn. Until then, reply on ${label} itself.`

/** Returns what people read in the day after a contradiction. */
const whyQuiet = (label: string, until: Date): string =>
  `The replies that ${label} returns agree with those stored here again. Automatic replies continue after ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC, when a day has passed without a contradiction.`

/** The lock under which the evidence of a location changes. */
const lockOf = (locationId: string) => `replies of ${locationId}`

/** Runs under the lock of a location's evidence. */
export const withEvidenceLock = <T>(ctx: OwnerContext, locationId: string, work: () => Promise<T>) =>
  ctx.withLock(lockOf(locationId), work)

/** Returns the sync state of a location. */
export async function listingOf(ctx: Pick<OwnerContext, 'rows'>, locationId: string) {
  const own = where.eq('location_id', locationId)
  const [listing] = await ctx.rows(ReviewListing).list({ where: own, limit: 1 })
  return listing ?? null
}

interface Contradicted {
  readonly location: Pick<LocationRow, 'id' | 'workspace_id' | 'business_name'>
  readonly source: { readonly source: string; readonly label: string }
}

/**
 * Puts a location in doubt, because the platform does not return replies that are stored, or says nothing about replies. Takes
 * effect at once, before the sync ends, because replies are sent at the same time. Notifies people once per doubt.
 */
export function contradict(
  ctx: OwnerContext,
  { location, source }: Contradicted,
  sourceIds: readonly string[],
): Promise<void> {
  return withEvidenceLock(ctx, location.id, async () => {
    const listing = await listingOf(ctx, location.id)
    if (!listing) return
    const now = ctx.now().toISOString()
    const evidence = storedEvidence(listing.replies)
    const added = sourceIds.map((id) => [id, evidence.missing[id] ?? { since: now }] as const)
    const missing = { ...evidence.missing, ...Object.fromEntries(added) }
    await ctx.rows(ReviewListing).update(listing.id, {
      replies: { missing, ...textsLost(evidence) },
      replies_missing: Object.keys(missing).length,
      replies_lost_at: now,
      replies_lost_from: source.source,
    })
    await showDoubt(ctx, { location, source }, Object.keys(missing).length)
  })
}

/** Returns when texts were last missing, as the evidence stores it. */
export const textsLost = ({ texts_lost_at }: Pick<ReplyEvidence, 'texts_lost_at'>) =>
  texts_lost_at === undefined ? {} : { texts_lost_at }

/** Returns until when nothing is sent because texts were missing. Null if they were not, or long enough ago. */
export function textlessUntil(
  { texts_lost_at }: Pick<ReplyEvidence, 'texts_lost_at'>,
  now: Date,
): Date | null {
  if (texts_lost_at === undefined) return null
  const until = new Date(Date.parse(texts_lost_at) + quietMs)
  return now < until ? until : null
}

/**
 * Puts a location in doubt, because the platform returns known reviews without their text. A review without text may then be
 * a complaint. A doubt about replies stays, because it forbids more.
 */
export function contradictTexts(ctx: OwnerContext, { location, source }: Contradicted): Promise<void> {
  return withEvidenceLock(ctx, location.id, async () => {
    const listing = await listingOf(ctx, location.id)
    if (!listing) return
    const texts_lost_at = ctx.now().toISOString()
    const replies = { ...storedEvidence(listing.replies), texts_lost_at }
    await ctx.rows(ReviewListing).update(listing.id, { replies })
    const current = await ctx.rows(Location).get(location.id)
    if (!current || isContradicted(current)) return
    await writeDoubt(ctx, location, {
      about: aboutTexts,
      why: whyTextless(source.label),
      title: `Texts of reviews of ${location.business_name} are missing at ${source.label}`,
      todo: `Read the new reviews at ${source.label}.`,
    })
  })
}

/** Returns what people read while the texts of known reviews are missing. */
export const whyTextless = (label: string): string =>
  `${label} returns known reviews of this location without their text. So a new review without text may have one, and nothing is sent automatically until a day has passed in which ${label} returned the texts.`

/** Writes the doubt of a location about its replies, and notifies people about a new one. */
export function showDoubt(
  ctx: OwnerContext,
  { location, source }: Contradicted,
  missing: number,
): Promise<void> {
  return writeDoubt(ctx, location, {
    about: aboutReplies,
    why: whyMissing(source.label, missing),
    title: `Replies of ${location.business_name} are missing at ${source.label}`,
    todo: `Check the replies at ${source.label}. You need to do nothing if they are there.`,
  })
}

interface ShownDoubt {
  readonly about: string
  readonly why: string
  readonly title: string
  readonly todo: string
}

async function writeDoubt(
  ctx: OwnerContext,
  location: Contradicted['location'],
  { about, why, title, todo }: ShownDoubt,
): Promise<void> {
  const current = await ctx.rows(Location).get(location.id)
  if (!current) return
  const since = doubtOf(current)?.since ?? ctx.now().toISOString()
  const in_doubt = { since, about, why }
  if (!Bun.deepEquals(current.in_doubt, in_doubt)) await ctx.rows(Location).update(location.id, { in_doubt })
  const { id, workspace_id } = location
  await ctx.notify({
    workspace_id,
    location_id: id,
    entity: 'BusinessLocation',
    entity_id: id,
    type: 'location_in_doubt',
    severity: 'warning',
    once: `location_in_doubt ${id} ${since}`,
    title,
    body: `${why} ${todo}`,
  })
}

/** Ends a doubt, or says until when automatic replies still wait. `lostAt`: when replies were last missing. */
export async function calm(
  ctx: OwnerContext,
  { location, source }: Contradicted,
  { lostAt, evidence }: { readonly lostAt: string | undefined; readonly evidence: ReplyEvidence },
): Promise<void> {
  const current = await ctx.rows(Location).get(location.id)
  const doubt = current && doubtOf(current)
  if (!doubt) return
  const now = ctx.now()
  const { since } = doubt
  const isAboutTexts = textlessUntil(evidence, now) !== null
  const quiet = new Date(Date.parse(lostAt ?? since) + quietMs)
  const isQuiet = !isTextless(doubt) && now < quiet
  const shown = isAboutTexts
    ? { since, about: aboutTexts, why: whyTextless(source.label) }
    : { since, about: aboutAutomatic, why: whyQuiet(source.label, quiet) }
  const in_doubt = isAboutTexts || isQuiet ? shown : undefined
  if (!Bun.deepEquals(doubt, in_doubt)) await ctx.rows(Location).update(location.id, { in_doubt })
}
