import { oneLine, type Row, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { formatCount } from 'renown/web'
import { targetsOf } from '../finding/targets'
import type { BrandTracker } from '../records/BrandTracker'
import { groupMax } from '../records/groups-of'
import { SourceTarget } from '../records/SourceTarget'
import { leadsSource, type MentionSource } from '../sources/source'
import { faultWords } from './fault-words'

/** How a source is read for a tracker. */
export interface SourceLook {
  readonly name: string
  readonly label: string
  /** `needs`: settings are missing. `starts`: it was not read yet. `failing`: a reading failed. */
  readonly state: 'needs' | 'starts' | 'looking' | 'read' | 'failing'
  /** The missing settings, or why the last reading failed. */
  readonly why: string | null
  readonly read_at: string | null
  readonly next_at: string | null
  /** What the last readings could not read, in sentences. */
  readonly notes: readonly string[]
}

/** How a source is read for all active trackers of a workspace. */
export interface SourceState {
  /**
   * `needs`: settings are missing. `unused`: no tracker searches it. `waits`: posts arrive by themselves. `starts`: it was
   * not read yet. `failing`: no reading succeeds. `partly`: some readings fail. `ready`: the last readings succeeded.
   */
  readonly state: 'needs' | 'unused' | 'waits' | 'starts' | 'failing' | 'partly' | 'ready'
  /** The missing settings, or why a reading failed. */
  readonly why: string | null
}

type Tracker = Row<typeof BrandTracker>
type Target = Row<typeof SourceTarget>
const targetsMax = 500

/** Returns how each source is read for a tracker. Sources that find nothing for its keywords are left out. One read. */
export async function looksOf(ctx: PageContext, tracker: Tracker): Promise<SourceLook[]> {
  const sources = ctx.system.extensions(leadsSource)
  const ready = sources.filter((source) => source.needs(ctx.system).length === 0)
  const wanted = ready
    .map((source) => ({ source, targets: targetsOf(tracker, source) }))
    .filter(({ targets }) => targets.length > 0)
  const rows = wanted.length === 0 ? [] : await readTargets(ctx, wanted)
  return [
    ...wanted.map(({ source, targets }) =>
      lookOf(
        source,
        rows.filter((row) => row.source === source.name && targets.includes(row.target)),
      ),
    ),
    ...sources.flatMap((source) => needing(ctx, tracker, source)),
  ]
}

/** Returns the state of each source for the active trackers of a workspace. One read for each source that they search. */
export async function sourceStates(
  ctx: PageContext,
  trackers: readonly Tracker[],
): Promise<ReadonlyMap<string, SourceState>> {
  const active = trackers.filter(({ is_active }) => is_active)
  const states = ctx.system.extensions(leadsSource).map(async (source): Promise<[string, SourceState]> => {
    const needs = source.needs(ctx.system)
    if (needs.length > 0) return [source.name, { state: 'needs', why: needs.join(', ') }]
    if (source.isPushed) return [source.name, { state: 'waits', why: null }]
    const targets = [...new Set(active.flatMap((tracker) => targetsOf(tracker, source)))]
    if (targets.length === 0) return [source.name, { state: 'unused', why: null }]
    const rows = await readTargets(ctx, [{ source, targets: targets.slice(0, groupMax) }])
    return [source.name, stateOf(rows)]
  })
  return new Map(await Promise.all(states))
}

/** What was read is the only evidence that a source can be read. */
function stateOf(rows: readonly Target[]): SourceState {
  const failed = rows.filter(({ error }) => error !== undefined)
  const isRead = rows.some(({ error, read_at }) => error === undefined && read_at !== undefined)
  const [first] = failed
  if (first) return { state: isRead ? 'partly' : 'failing', why: faultWords(first.error ?? '') }
  return { state: isRead ? 'ready' : 'starts', why: null }
}

const readTargets = (
  ctx: PageContext,
  wanted: readonly { readonly source: MentionSource; readonly targets: readonly string[] }[],
): Promise<Target[]> =>
  ctx.system.rows(SourceTarget).list({
    where: where.and(
      where.in(
        'source',
        wanted.map(({ source }) => source.name),
      ),
      where.in('target', [...new Set(wanted.flatMap(({ targets }) => targets))]),
    ),
    limit: targetsMax,
  })

function lookOf({ name, label, reach }: MentionSource, targets: readonly Target[]): SourceLook {
  const failed = targets.find(({ error }) => error !== undefined)
  const others = targets.filter((target) => target !== failed && target.error !== undefined)
  const notes = [
    ...others.map((target) => faultOf(target, true)),
    ...targets.flatMap((target) => notesOf(target, reach === 'feed')),
  ]
  const read_at = latest(targets.map((target) => target.read_at))
  const next_at = targets.map(({ due_at }) => due_at).toSorted()[0] ?? null
  const common = { name, label, read_at, next_at, notes, why: null }
  if (targets.length === 0) return { ...common, state: 'starts' }
  if (failed) return { ...common, state: 'failing', why: faultOf(failed, targets.length > 1) }
  return { ...common, state: read_at === null ? 'looking' : 'read' }
}

const faultOf = ({ target, error }: Target, isOneOfMany: boolean) =>
  isOneOfMany ? `${shown(target)}: ${faultWords(error ?? '')}` : faultWords(error ?? '')

/** Reasons of sources that are the names of fields, in words. */
const reasonWords = (reason = 'no reason is known') =>
  reason === 'link' || reason === 'url' ? 'the post has no address' : reason

const shown = (target: string) => oneLine(target, 100)

/** What a person should know about the last reading of a target. */
function notesOf(
  { target, unread_last = 0, unread_reason, undated_last = 0, doubt, read_from }: Target,
  isFeed: boolean,
): string[] {
  const of = isFeed ? `${shown(target)}: ` : ''
  return [
    ...(read_from === undefined ? [] : [`${of}this is a page. Renown reads its feed ${shown(read_from)}.`]),
    ...(unread_last === 0
      ? []
      : [`${of}${formatCount(unread_last, 'post')} could not be read (${reasonWords(unread_reason)}).`]),
    ...(undated_last === 0
      ? []
      : [
          `${of}${formatCount(undated_last, 'post')} without a known date${doubt === undefined ? '' : ` (${doubt})`}.`,
        ]),
  ].map((note) => note.replace(/^./, (first) => (isFeed ? first : first.toUpperCase())))
}

const latest = (times: readonly (string | undefined)[]): string | null =>
  times
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1) ?? null

/** A source without its settings that the tracker would search. */
function needing(ctx: PageContext, tracker: Tracker, source: MentionSource): SourceLook[] {
  const needs = source.needs(ctx.system)
  if (needs.length === 0 || targetsOf(tracker, source).length === 0) return []
  const { name, label } = source
  return [{ name, label, state: 'needs', why: needs.join(', '), read_at: null, next_at: null, notes: [] }]
}
