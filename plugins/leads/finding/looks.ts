import { dayMs, type OwnerContext, type Row } from 'renown'
import type { Mention } from '../records/Mention'
import { policyOf } from '../sources/policy'
import { leadsSource, type MentionSource, type SourcePolicy } from '../sources/source'

/** A mention is looked at again each day for this many days after it was found. */
export const lookDays = 7
/** How long the text of a post is kept if the terms of its platform demand looks and nothing can look. */
const unseenDays = 30

/** A source that can look at a post again, and the id of the post there. */
export interface Looker {
  readonly source: MentionSource
  readonly id: string
}

type LookContext = Pick<OwnerContext, 'extensions' | 'settings' | 'now'>
type Place = Pick<Row<typeof Mention>, 'found_by' | 'source_id' | 'url'>

/**
 * Returns who can look at a post again: the source that found it, or that of the platform on which it was written. Null if
 * nobody can.
 */
export function lookerOf(ctx: LookContext, { found_by, source_id, url }: Place): Looker | null {
  const sources = ctx.extensions(leadsSource)
  const own = sources.find(({ name }) => name === found_by)
  if (own?.recheck) return { source: own, id: source_id }
  const address = URL.parse(url)
  if (address === null) return null
  for (const source of sources) {
    if (!source.recheck || source.needs(ctx).length > 0) continue
    const id = source.postId?.(address, ctx) ?? null
    if (id !== null) return { source, id }
  }
  return null
}

type Looked = Place & Pick<Row<typeof Mention>, 'source' | 'discovered_at'>

/**
 * Returns when a post that was just seen at its source is looked at again: each day at first, and a day before its terms demand it.
 * `keep_until` is when its text must go if no look finds it until then.
 */
export function nextLook(
  ctx: LookContext,
  terms: { readonly policy: SourcePolicy },
  looked: Looked,
): { readonly recheck_at?: string; readonly keep_until?: string } {
  const now = ctx.now().getTime()
  const looker = lookerOf(ctx, looked)
  const days = daysOf(terms, looked, looker)
  const isYoung = now < Date.parse(looked.discovered_at) + lookDays * dayMs
  const times = [
    ...(looker !== null && isYoung ? [now + dayMs] : []),
    ...(days === null ? [] : [now + (days - 1) * dayMs]),
  ]
  return {
    ...(times.length === 0 ? {} : { recheck_at: new Date(Math.min(...times)).toISOString() }),
    ...(days === null ? {} : { keep_until: new Date(now + days * dayMs).toISOString() }),
  }
}

/** Returns for how many days a text may be kept without a look. Null: without limit. */
function daysOf(
  terms: { readonly policy: SourcePolicy },
  { source }: Looked,
  looker: Looker | null,
): number | null {
  const { recheck_days } = policyOf(terms, source)
  if (recheck_days === null || looker !== null || terms.policy.recheck_days !== null) return recheck_days
  return Math.max(recheck_days, unseenDays)
}
