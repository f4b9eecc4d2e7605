import { type Row, type SystemReads, where } from 'renown'
import type { Mention } from '../records/Mention'
import { SourceTerms } from '../records/SourceTerms'
import { policyOf } from './policy'
import { leadsSource, type SourcePolicy } from './source'

/** Nothing is allowed for a source that Renown does not know. */
const nothingAllowed: SourcePolicy = {
  retention_days: null,
  recheck_days: null,
  delete_with_source: true,
  may_store_author: false,
  may_link_identity: false,
  may_extract_contact: false,
  may_reply: 'never',
  attribution: null,
  terms_url: '',
}

type Found = Pick<Row<typeof Mention>, 'found_by' | 'source'>

/**
 * Whether people may reply. `unknown`: nobody knows the terms of the source, so a person reads them, and Renown sends nothing.
 */
export type ReplyTerms = SourcePolicy['may_reply'] | 'unknown'

/** Returns what the terms of a mention's source allow. If its plugin is gone: what they allowed when it was last loaded. */
export async function policyOfMention(
  ctx: Pick<SystemReads, 'extensions' | 'rows'>,
  found: Found,
): Promise<SourcePolicy> {
  return (await termsOf(ctx, found)) ?? nothingAllowed
}

/** Returns whether the terms of a mention's source allow replies, also if its plugin is gone. */
export async function replyTerms(
  ctx: Pick<SystemReads, 'extensions' | 'rows'>,
  found: Found,
): Promise<ReplyTerms> {
  return (await termsOf(ctx, found))?.may_reply ?? 'unknown'
}

/** Like `replyTerms`, for operations, which read only one workspace: knows only sources whose plugin is loaded. */
export const loadedReplyTerms = (ctx: Pick<SystemReads, 'extensions'>, found: Found): ReplyTerms =>
  loadedTerms(ctx, found)?.may_reply ?? 'unknown'

async function termsOf(
  ctx: Pick<SystemReads, 'extensions' | 'rows'>,
  found: Found,
): Promise<SourcePolicy | null> {
  if (found.found_by === undefined) return null
  const loaded = loadedTerms(ctx, found)
  if (loaded) return loaded
  const [last] = await ctx.rows(SourceTerms).list({ where: where.eq('source', found.found_by), limit: 1 })
  return last ? policyOf(last, found.source) : null
}

function loadedTerms(ctx: Pick<SystemReads, 'extensions'>, { found_by, source }: Found): SourcePolicy | null {
  const loaded = ctx.extensions(leadsSource).find(({ name }) => name === found_by)
  return loaded ? policyOf(loaded, source) : null
}
