import { type OwnerContext, type Row, where } from 'renown'
import type { Mention } from '../records/Mention'
import { SourceTerms } from '../records/SourceTerms'
import { policyOf } from './policy'
import { leadsSource, type SourcePolicy } from './source'

/** Nothing is allowed for a source that Renown does not know. */
const nothingAllowed: SourcePolicy = {
  ...{ retention_days: null, recheck_days: null, delete_with_source: true },
  ...{ may_store_author: false, may_link_identity: false, may_extract_contact: false },
  ...{ may_reply: 'never', attribution: null, terms_url: '' },
}

/** Returns what the terms of a mention's source allow. If its plugin is gone: what they allowed when it was last loaded. */
export async function policyOfMention(
  ctx: Pick<OwnerContext, 'extensions' | 'rows'>,
  { found_by, source }: Pick<Row<typeof Mention>, 'found_by' | 'source'>,
): Promise<SourcePolicy> {
  if (found_by === undefined) return nothingAllowed
  const loaded = ctx.extensions(leadsSource).find(({ name }) => name === found_by)
  if (loaded) return policyOf(loaded, source)
  const [last] = await ctx.rows(SourceTerms).list({ where: where.eq('source', found_by), limit: 1 })
  return last ? policyOf(last, source) : nothingAllowed
}
