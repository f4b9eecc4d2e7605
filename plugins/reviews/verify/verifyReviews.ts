import { defineCommand, field, type OwnerContext, type Row, where } from 'renown'
import * as v from 'valibot'
import { isJudgedEarlier } from '../analysis/judgeAgain'
import { allChains, chainsOf, type NotedChain, readLocation } from '../proof/chains'
import { type Entry, entriesOf, type Figures, follow, idsIn } from '../proof/ledger'
import { provenOwn } from '../proof/provenOwn'
import { replay } from '../proof/replay'
import { isVisible, storedReviews } from '../proof/storedReviews'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { ReviewObservation } from '../records/ReviewObservation'
import { sourceOf } from '../sources/source-of'
import { unlogged } from './unlogged'
import { type Proven, unprovenFigures, unprovenRows } from './unproven-rows'

const shownMax = 50

/** Checks that the observation logs are intact, and that rows and figures match them. */
export const verifyReviews = defineCommand({
  name: 'review verify',
  summary:
    'Check the observation log of a location, or of all locations, and that the stored reviews match it',
  input: v.strictObject({
    location_id: v.optional(field.text('Business location; all of them where it is left out')),
    head: v.optional(field.text('An end of the log that you noted earlier. The log must still contain it')),
  }),
  isBad: ({ sound }) => sound !== true,
  async run(ctx, { location_id, head }) {
    const values = await mismatches(ctx)
    // Documents that cannot be read can prove nothing.
    if (values.some((value) => value.endsWith(' doc'))) {
      return {
        sound: false,
        ...(head === undefined ? {} : { holds_head: false }),
        altered_values: values,
        chains: [],
      }
    }
    const chains: Found[] = []
    const known = new Set<string>()
    const all = location_id === undefined ? allChains(ctx) : await ownChains(ctx, location_id)
    for await (const chain of all) {
      known.add(keyOf(chain))
      const found = await verifyTwice(ctx, chain, head)
      if (found !== null) chains.push(found)
    }
    if (location_id === undefined) chains.push(...(await unchained(ctx, known)))
    const logged = new Set(chains.map((one) => one.location_id))
    const missing = (await unlogged(ctx, logged)).filter(
      (one) => location_id === undefined || one.location_id === location_id,
    )
    for (const { location_id: id, source, why } of missing)
      chains.push({
        location_id: id,
        source,
        sound: false,
        entries: 0,
        standing: 0,
        strays: [why],
        strays_total: 1,
      })
    const isHeld = head === undefined || chains.some(({ holds_head }) => holds_head === true)
    const sound = isHeld && values.length === 0 && chains.every((one) => one.sound)
    return {
      sound,
      ...(head === undefined ? {} : { holds_head: isHeld }),
      ...(values.length === 0 ? {} : { altered_values: values }),
      chains,
    }
  },
})

/** Returns values that figures are computed from and that differ from their documents. */
async function mismatches(ctx: OwnerContext): Promise<string[]> {
  const found: string[] = []
  for (const entity of [Review, ReviewObservation, ReviewListing, ReviewedLocation]) {
    const values = await ctx.mismatches(entity, shownMax)
    found.push(...values.map(({ id, path }) => `${entity.name} ${id} ${path}`.replace('  ', ' ')))
  }
  return found
}

interface Found {
  readonly location_id: string
  readonly source: string
  readonly sound: boolean
  readonly entries: number
  readonly standing: number
  readonly fault?: string
  readonly strays?: readonly string[]
  readonly strays_total?: number
  readonly removed_without_statement?: number
  readonly judged_by_earlier_version?: number
  readonly holds_head?: boolean
  readonly head?: string
}

const keyOf = ({ location_id, source }: { readonly location_id: string; readonly source: string }) =>
  `${location_id} ${source}`

async function ownChains(ctx: OwnerContext, location_id: string): Promise<NotedChain[]> {
  const { location, listing } = await readLocation(ctx, location_id)
  return chainsOf(ctx, location, listing)
}

const triesMax = 3
const pauseMs = 20

/** Verifies a log again if something does not match: a sync or a reply beside may just have written it. */
async function verifyTwice(
  ctx: OwnerContext,
  chain: NotedChain,
  head: string | undefined,
): Promise<Found | null> {
  let found = await verify(ctx, chain, head)
  for (let tries = 1; tries < triesMax && found !== null && !found.sound; tries++) {
    await Bun.sleep(pauseMs)
    found = await verify(ctx, await notedNow(ctx, chain), head)
  }
  return found
}

/** Returns a log with the notes that its location has now. */
async function notedNow(ctx: OwnerContext, chain: NotedChain): Promise<NotedChain> {
  const own = where.eq('location_id', chain.location_id)
  const [listing] = await ctx.rows(ReviewListing).list({ where: own, limit: 1 })
  const { location_id: id, workspace_id, source } = chain
  return chainsOf(ctx, { id, workspace_id }, listing ?? null).find((one) => one.source === source) ?? chain
}

/** Returns null if nothing was ever synced and there are no reviews. */
async function verify(ctx: OwnerContext, chain: NotedChain, head: string | undefined): Promise<Found | null> {
  let isHeld = false
  const {
    found,
    own,
    earlier: states,
    figures,
    passes,
  } = await replayed(ctx, chain, (hash) => {
    isHeld ||= hash === head
  })
  const location = await ctx.rows(ReviewedLocation).get(chain.location_id)
  if (found.entries === 0 && found.fault === null && location?.is_demo) return null
  const isReadTwice =
    passes > 1 && location?.last_full_review_sync_at !== undefined && location.is_demo !== true
  const fault = found.fault ?? unnoted(chain, found.entries, isReadTwice)
  const rows = fault ? [] : await storedReviews(ctx, chain)
  const isRead = location !== null && sourceOf(ctx, location)?.source === chain.source
  const proven: Proven = {
    ...found,
    own,
    earlier: states,
    workspaceId: chain.workspace_id,
    now: ctx.now(),
    isDemo: location?.is_demo === true,
    moving: fault ? new Set() : await appendedSince(ctx, chain, found.entries),
  }
  const strays = fault
    ? []
    : [
        ...(location === null && found.entries > 0 ? ['the location was deleted'] : []),
        ...unprovenRows(proven, rows),
        ...(isRead ? figuresFaults(location, figures, chain, found.entries, ctx.now()) : []),
      ]
  if (found.entries === 0 && fault === null && strays.length === 0) return null
  const earlier = rows.filter((row) => isVisible(row) && isJudgedEarlier(row)).length
  return {
    location_id: chain.location_id,
    source: chain.source,
    entries: found.entries,
    standing: found.standing.size,
    sound: fault === null && strays.length === 0,
    ...(fault ? { fault: `entry ${fault.seq}: ${fault.fault}` } : {}),
    ...(found.unproven.size === 0 ? {} : { removed_without_statement: found.unproven.size }),
    ...(earlier === 0 ? {} : { judged_by_earlier_version: earlier }),
    ...strayed(strays),
    ...(head === undefined ? {} : { holds_head: isHeld }),
    head: found.head,
  }
}

/** Replays a log with all that the checks of rows need. */
async function replayed(ctx: OwnerContext, chain: NotedChain, onHash: (hash: string) => void) {
  const own = provenOwn()
  const { open, noted } = chain
  const earlier = new Map<string, Set<string | null>>()
  const standing = new Map<string, string>()
  /** The figures that the location may show: of the last sync that was noted, and of every later one. */
  let figures: Figures[] = []
  let passes = 0
  const found = await replay(ctx, chain, {
    head: noted,
    onHash,
    onEntry(entry, at, seq) {
      own.follow(entry, at)
      if (open !== undefined) {
        for (const id of seq > open ? idsIn(entry) : [])
          earlier.set(id, (earlier.get(id) ?? new Set()).add(standing.get(id) ?? null))
        follow(standing, entry)
      }
      if (entry.kind === 'pass') passes++
      if (entry.kind !== 'pass' || !entry.figures) return
      figures = seq <= (noted?.seq ?? 0) ? [entry.figures] : [...figures, entry.figures]
    },
  })
  return { found, own, earlier, figures, passes }
}

/** Returns the reviews in entries that were appended after a position, by a sync that runs beside. */
async function appendedSince(ctx: OwnerContext, chain: NotedChain, seq: number): Promise<Set<string>> {
  const ids = new Set<string>()
  for await (const row of entriesOf(ctx, chain, seq)) {
    const entry = row.entry as unknown as Entry
    for (const id of idsIn(entry)) ids.add(id)
  }
  return ids
}

function figuresFaults(
  location: Row<typeof ReviewedLocation>,
  said: readonly Figures[],
  { noted, figures, dueAt }: NotedChain,
  entries: number,
  now: Date,
): string[] {
  const each = [...new Set(unprovenFigures(location, [said.at(-1), figures]))]
  if (each.length === 0) return []
  // A sync writes its figures to the location before it notes the end of the log.
  const isOpen = (noted?.seq ?? 0) < entries
  const isDue = dueAt !== undefined && dueAt <= now.toISOString()
  const others = [...(isOpen ? [...said, figures] : []), ...(isDue ? [figures?.before] : [])]
  return others.some((one) => one !== undefined && unprovenFigures(location, [one]).length === 0) ? [] : each
}

/**
 * Returns what is wrong if the noted end of the log is missing. Each sync stores the end with the location. Without it, a log that
 * was cut off would look intact. The first sync may have ended before it stored the end.
 */
const unnoted = ({ noted, isRead }: NotedChain, entries: number, isReadTwice: boolean) =>
  noted === undefined && entries > 0 && (isRead || isReadTwice)
    ? { seq: entries, fault: "the note of the log's end is missing" }
    : null

const strayed = (strays: readonly string[]) =>
  strays.length === 0 ? {} : { strays: strays.slice(0, shownMax), strays_total: strays.length }

/**
 * Finds reviews of locations that were never synced. Ignores those of a demo, which are sample data and
 * marked as such.
 */
async function unchained(ctx: OwnerContext, known: ReadonlySet<string>): Promise<Found[]> {
  const groups = await ctx.rows(Review).group({
    by: ['location_id', 'source'],
    measures: [{ as: 'reviews', fn: 'count' }],
  })
  const found: Found[] = []
  for (const { location_id, source, reviews } of groups) {
    const place = { location_id: String(location_id), source: String(source) }
    if (known.has(keyOf(place))) continue
    const location: Row<typeof ReviewedLocation> | null = await ctx
      .rows(ReviewedLocation)
      .get(place.location_id)
    if (location?.is_demo) continue
    const strays = [`${reviews} reviews without a chain`]
    found.push({ ...place, sound: false, entries: 0, standing: 0, strays, strays_total: Number(reviews) })
  }
  return found
}
