import { dayMs, messageOf, type OwnerContext, ServiceFault } from 'renown'
import { brandingOf, pictureOf } from '../branding/branding'
import { treeOf } from '../data/tree'
import { readPdf } from '../files/report-files'
import { Agency, BusinessLocation, Workspace } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import type { MailRow } from '../records/ReportMail'
import { type RecipientRow, ReportRecipient } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'
import { chartPng } from './chart-png'
import { chartId, chartIn, logoId, writeConfirmation, writeReportMail } from './write-mail'

/** A larger PDF is linked, because many mailboxes refuse large messages. */
const attachedMax = 2 * 1024 * 1024
const confirmMs = 14 * dayMs

/** Returns the origin of the links: the agency's verified domain, if it has one. */
async function originOf(ctx: OwnerContext, workspace_id: string) {
  const workspace = await ctx.rows(Workspace).get(workspace_id)
  const agency = workspace && (await ctx.rows(Agency).get(workspace.agency_id))
  const domain = workspace?.white_label_domain
  return {
    origin: domain === undefined ? ctx.apiUrl : `https://${domain}`,
    branding: agency ? await brandingOf(ctx, agency.id) : null,
    agency: agency?.name ?? workspace?.name ?? 'Renown',
  }
}

type MailMessage = Parameters<OwnerContext['outbound']['mail']['send']>[0]

/** Builds a message. Its Message-ID is the same for each attempt, so that many mailboxes show a repeated one once. */
export async function buildMail(ctx: OwnerContext, mail: MailRow): Promise<MailMessage> {
  const recipient = await ctx.rows(ReportRecipient).get(mail.recipient_id)
  if (!recipient) throw new ServiceFault('permanent', 'The recipient was removed.')
  const messageId = `${mail.id}@${new URL(ctx.apiUrl).hostname}`
  const report = mail.report_id === undefined ? null : await ctx.rows(Report).get(mail.report_id)
  const written = await (report ? reportMail(ctx, report, recipient) : confirmation(ctx, recipient))
  return { ...written, to: mail.email, messageId }
}

async function reportMail(ctx: OwnerContext, report: ReportRow, { stop_token }: RecipientRow) {
  if (report.pdf_state === 'outdated') {
    throw new ServiceFault('transient', 'The PDF is being rendered with the new paragraph.', {
      delivery: 'unsent',
    })
  }
  const { origin } = await originOf(ctx, report.workspace_id)
  const tree = treeOf(ctx, report)
  const chart = chartIn(tree)
  const picture =
    chart &&
    (await chartPng(ctx, chart).catch((error) => {
      ctx.log.warn('a chart was left out of a mail', { report_id: report.id, error: messageOf(error) })
      return undefined
    }))
  const logo = await pictureOf(ctx, tree.brand)
  const pdf = await readPdf(ctx, report.pdf_url ?? '')
  const isAttached = pdf !== null && pdf.length <= attachedMax
  const stop = `${origin}/p/report-stop/${stop_token}`
  const links = {
    page: report.is_public && report.public_share_id ? `${origin}/p/report/${report.public_share_id}` : null,
    pdf: isAttached ? null : `${origin}${report.pdf_url ?? ''}`,
    stop,
  }
  return {
    ...writeReportMail(tree, links, { hasChart: picture !== undefined, logo }),
    fromName: tree.from,
    unsubscribeUrl: stop,
    attachments: [
      ...(logo
        ? [
            {
              filename: logo.type === 'image/png' ? 'logo.png' : 'logo.jpg',
              type: logo.type,
              bytes: Buffer.from(logo.base64, 'base64'),
              contentId: logoId,
            },
          ]
        : []),
      ...(picture === undefined
        ? []
        : [{ filename: 'chart.png', type: 'image/png', bytes: picture, contentId: chartId }]),
      ...(isAttached
        ? [
            {
              filename: `report-${report.period_start}-${report.period_end}.pdf`,
              type: 'application/pdf',
              bytes: pdf,
            },
          ]
        : []),
    ],
  }
}

/** Writes the message that asks to confirm. Each attempt has a new link, and only the newest works. */
async function confirmation(ctx: OwnerContext, recipient: RecipientRow) {
  const { token, hash } = await ctx.newToken('rrc_')
  const confirm_until = new Date(ctx.now().getTime() + confirmMs).toISOString()
  await ctx.rows(ReportRecipient).update(recipient.id, { confirm_hash: hash, confirm_until })
  const { origin, branding, ...names } = await originOf(ctx, recipient.workspace_id)
  const agency = branding?.sender_name ?? names.agency
  const business = await businessOf(ctx, recipient)
  const stop = `${origin}/p/report-stop/${recipient.stop_token}`
  const links = { confirm: `${origin}/p/report-confirm/${token}`, stop }
  return {
    ...writeConfirmation({ agency, business, color: branding?.color }, links),
    fromName: agency,
    unsubscribeUrl: stop,
  }
}

/** Returns the business that the reports of a recipient are about. */
export async function businessOf(
  ctx: Pick<OwnerContext, 'rows'>,
  { list_id }: RecipientRow,
): Promise<string> {
  const list = (await ctx.rows(ScheduledReport).get(list_id)) ?? (await ctx.rows(Report).get(list_id))
  const location = await ctx.rows(BusinessLocation).get(list?.business_location_id ?? '')
  return location?.business_name ?? 'a business'
}
