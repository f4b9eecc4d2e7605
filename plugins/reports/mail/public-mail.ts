import { type OwnerContext, Refusal, where } from 'renown'
import type { PublicAddress, PublicPageDeclaration } from 'renown/pages'
import * as v from 'valibot'
import { Report } from '../records/Report'
import { type RecipientRow, ReportRecipient } from '../records/ReportRecipient'
import { businessOf } from './build-mail'
import { moveRecipient } from './recipients'
import { releaseMail } from './release'

/** The data of the pages on which a recipient confirms or stops mail. */
export interface RecipientData {
  readonly state: RecipientRow['state']
  readonly business: string
}

async function load(ctx: OwnerContext, { id }: PublicAddress): Promise<RecipientData> {
  const row = await found(ctx, id)
  return { state: row.state, business: await businessOf(ctx, row) }
}

async function found(ctx: OwnerContext, id: string): Promise<RecipientRow> {
  const row = await ctx.rows(ReportRecipient).get(id)
  if (!row) throw new Refusal('not_found', 'There is nothing at this address.')
  return row
}

/** The answer is the page itself, because mail programs that post follow no redirect. */
const answered = { shown: true }

const address = (row: RecipientRow | undefined): PublicAddress | null =>
  row ? { id: row.id, workspace_id: row.workspace_id } : null

/** The page on which a recipient confirms the address. A link that a scanner opens confirms nothing. */
export const confirmPage: PublicPageDeclaration<RecipientData> = {
  summary: 'Confirms that somebody wants reports by mail',
  async find(ctx, { hash }) {
    const [row] = await ctx.rows(ReportRecipient).list({ where: where.eq('confirm_hash', hash), limit: 1 })
    return (row?.confirm_until ?? '') > ctx.now().toISOString() ? address(row) : null
  },
  page: {
    module: new URL('./ConfirmPage.tsx', import.meta.url),
    title: 'Confirm reports',
    load,
    submit: {
      input: v.strictObject({}),
      async run(ctx, { id }) {
        await confirm(ctx, await found(ctx, id))
        return answered
      },
    },
  },
}

async function confirm(ctx: OwnerContext, row: RecipientRow): Promise<void> {
  if (row.state !== 'pending') return
  const confirmed = await moveRecipient(ctx, row, 'confirmed')
  // Somebody who was added to one report gets it now, if a person has sent it.
  const report = confirmed && (await ctx.rows(Report).get(row.list_id))
  if (report?.mail_state === 'released') await releaseMail(ctx, report, true)
}

/** The page on which a recipient stops mail, and the address to which mail programs post (RFC 8058). */
export const stopPage: PublicPageDeclaration<RecipientData> = {
  summary: 'Stops reports by mail',
  async find(ctx, { text }) {
    const [row] = await ctx.rows(ReportRecipient).list({ where: where.eq('stop_token', text), limit: 1 })
    return address(row)
  },
  page: {
    module: new URL('./StopPage.tsx', import.meta.url),
    title: 'Stop reports',
    load,
    submit: {
      input: v.strictObject({ 'List-Unsubscribe': v.optional(v.string(), '') }),
      async run(ctx, { id }) {
        const row = await found(ctx, id)
        if (row.state !== 'stopped') await moveRecipient(ctx, row, 'stopped')
        return answered
      },
    },
  },
}
