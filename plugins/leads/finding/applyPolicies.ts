import { dayMs, hourMs, type JobDeclaration, nullIfConflict, type OwnerContext, where } from 'renown'
import * as v from 'valibot'
import { Mention } from '../records/Mention'
import { SourceTerms, storedPolicy } from '../records/SourceTerms'
import { leadsSource } from '../sources/source'
import { activeTrackers } from './active-trackers'
import { lookAgain, type SourceWithTerms } from './lookAgain'
import { removeStoredWords, removeText } from './removal'
import { sharedId } from './targets'

/** Removes what the terms of a source do not allow to keep, and reads again what must be read again. */
export const applyPolicies: JobDeclaration = {
  summary: 'Deletes and rechecks mentions as the terms of their source demand',
  everyMs: hourMs,
  includesInactive: true,
  async run(ctx, signal) {
    await removeStoredWords(ctx, signal)
    const active = await activeTrackers(ctx, signal)
    for (const source of await sourcesWithTerms(ctx)) {
      signal.throwIfAborted()
      await removeOld(ctx, source, signal)
      await lookAgain(ctx, { source, active, signal })
    }
  },
}

/** Returns the loaded sources, whose terms it stores, and those whose plugin is gone, with their last terms. */
async function sourcesWithTerms(ctx: OwnerContext): Promise<SourceWithTerms[]> {
  const rows = ctx.rows(SourceTerms)
  const stored = new Map((await rows.list({ limit: sourcesMax })).map((row) => [row.source, row]))
  const found: SourceWithTerms[] = []
  for (const loaded of ctx.extensions(leadsSource)) {
    const { name, label } = loaded
    const policy = v.parse(storedPolicy, loaded.policy)
    const known = stored.get(name)
    stored.delete(name)
    found.push({ name, policy: loaded.policy })
    if (!known)
      await rows.insert({ workspace_id: sharedId, source: name, label, policy }).catch(nullIfConflict)
    else if (!Bun.deepEquals([known.label, known.policy], [label, policy])) {
      await rows.update(known.id, { label, policy })
    }
  }
  const gone = [...stored.values()].map(({ source, policy }) => ({ name: source, policy }))
  return [...found, ...gone]
}

const sourcesMax = 1_000

const kept = (source: SourceWithTerms) =>
  where.and(where.eq('found_by', source.name), where.eq('removal_rule', null))

async function removeOld(ctx: OwnerContext, source: SourceWithTerms, signal: AbortSignal): Promise<void> {
  const { retention_days } = source.policy
  if (retention_days === null) return
  const before = new Date(ctx.now().getTime() - retention_days * dayMs).toISOString()
  const old = where.and(kept(source), where.lt('discovered_at', before))
  for await (const row of ctx.rows(Mention).each({ where: old, signal })) {
    await removeText(ctx, row, 'retention_days')
  }
}
