import type { OwnerContext, Row } from 'renown'
import type { AiTrafficSite } from '../records/AiTrafficSite'

const words = {
  add: 'Site added',
  rename: 'Site renamed',
  change: 'Site switched',
  remove: 'Site deleted',
  mapping: 'Log mapping of a site saved',
  unmapping: 'Log mapping of a site removed',
  token: 'Forwarder token of a site replaced',
}

/** Records an audit event about a site. */
export const noteSite = (
  ctx: OwnerContext,
  { workspace_id, domain }: Pick<Row<typeof AiTrafficSite>, 'domain'> & { readonly workspace_id: string },
  verb: keyof typeof words,
): Promise<void> =>
  ctx.recordAudit({ workspace_id, action: `site.${verb}`, what: words[verb], subject: domain, by: ctx.by })
