import {
  dayMs,
  hourMs,
  type JobDeclaration,
  messageOf,
  nullIfConflict,
  type OwnerContext,
  type Row,
  where,
} from 'renown'
import * as v from 'valibot'
import { Mention } from '../records/Mention'
import { SourceTerms, storedPolicy } from '../records/SourceTerms'
import { policyOf } from '../sources/policy'
import { recheckSource } from '../sources/read-source'
import { leadsSource, type MentionSource } from '../sources/source'
import { removeGone, removeText } from './removal'
import { editOf, recheckOf } from './store-posts'
import { sharedId } from './targets'

/** Posts that are read again with one call. */
const batch = 50
/** A mention is deleted this long after the reading that was due, if its source could not be read. */
const graceMs = dayMs

/** Removes what the terms of a source do not allow to keep, and reads again what must be read again. */
export const applyPolicies: JobDeclaration = {
  summary: 'Deletes and rechecks mentions as the terms of their source demand',
  everyMs: hourMs,
  includesInactive: true,
  async run(ctx, signal) {
    for (const source of await knownSources(ctx)) {
      signal.throwIfAborted()
      await removeOld(ctx, source, signal)
      await recheckDue(ctx, source, signal)
    }
  },
}

/** A source with its terms. One whose plugin is gone cannot be read again. */
type KnownSource = Pick<MentionSource, 'name' | 'label' | 'policy'> & {
  readonly loaded: MentionSource | null
}

/** Returns the loaded sources, whose terms it stores, and those whose plugin is gone, with their last terms. */
async function knownSources(ctx: OwnerContext): Promise<KnownSource[]> {
  const rows = ctx.rows(SourceTerms)
  const stored = new Map((await rows.list({ limit: sourcesMax })).map((row) => [row.source, row]))
  const found: KnownSource[] = []
  for (const loaded of ctx.extensions(leadsSource)) {
    const { name, label } = loaded
    const policy = v.parse(storedPolicy, loaded.policy)
    const known = stored.get(name)
    stored.delete(name)
    found.push({ name, label, policy: loaded.policy, loaded })
    if (!known)
      await rows.insert({ workspace_id: sharedId, source: name, label, policy }).catch(nullIfConflict)
    else if (!Bun.deepEquals([known.label, known.policy], [label, policy])) {
      await rows.update(known.id, { label, policy })
    }
  }
  const gone = [...stored.values()].map(({ source, label, policy }) => ({
    name: source,
    label,
    policy,
    loaded: null,
  }))
  return [...found, ...gone]
}

const sourcesMax = 1_000

const kept = (source: Pick<MentionSource, 'name'>) =>
  where.and(where.eq('found_by', source.name), where.eq('removal_rule', null))

async function removeOld(ctx: OwnerContext, source: KnownSource, signal: AbortSignal): Promise<void> {
  const { retention_days } = source.policy
  if (retention_days === null) return
  const before = new Date(ctx.now().getTime() - retention_days * dayMs).toISOString()
  const old = where.and(kept(source), where.lt('discovered_at', before))
  for await (const row of ctx.rows(Mention).each({ where: old, signal })) {
    await removeText(ctx, row, 'retention_days')
  }
}

async function recheckDue(ctx: OwnerContext, source: KnownSource, signal: AbortSignal): Promise<void> {
  const now = ctx.now()
  const due = where.and(kept(source), where.lte('recheck_at', now.toISOString()))
  for await (const rows of ctx.rows(Mention).pages({ where: due, size: batch, signal })) {
    const left = await recheck(ctx, source, rows as Row<typeof Mention>[], signal)
    for (const row of left) {
      const isLate = Date.parse(row.recheck_at ?? '') + graceMs <= now.getTime()
      if (isLate) await removeText(ctx, row, 'recheck_days')
    }
  }
}

/** Reads mentions again. Returns those that the source did not answer for. */
async function recheck(
  ctx: OwnerContext,
  source: KnownSource,
  rows: readonly Row<typeof Mention>[],
  signal: AbortSignal,
): Promise<readonly Row<typeof Mention>[]> {
  const ids = [...new Set(rows.map(({ source_id }) => source_id))]
  if (source.loaded === null) return rows
  const answers = await recheckSource(ctx, source.loaded, ids, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    ctx.log.warn('mentions could not be rechecked', { source: source.name, error: messageOf(error) })
    return []
  })
  const byId = new Map(answers.map((answer) => [answer.source_id, answer]))
  const left: Row<typeof Mention>[] = []
  for (const row of rows) {
    const answer = byId.get(row.source_id)
    if (!answer) left.push(row)
    else if (answer.state === 'gone') await removeGone(ctx, source, row)
    else {
      const { author } = answer.post
      await ctx.rows(Mention).update(row.id, {
        ...(author ? { author } : {}),
        ...editOf(row, answer.post, ctx.now()),
        ...recheckOf(policyOf(source, row.source).recheck_days, ctx.now()),
      })
    }
  }
  return left
}
