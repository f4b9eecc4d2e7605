import type { Row } from '../../../contracts/entity'
import { oneLine } from '../../../kit'
import { pageUrl, textIn } from '../../../kit/page-addresses'
import type { Workspace } from '../../Workspace'
import type { Notification } from '../Notification'
import type { MailChoice } from './MailChoice'

const subjectMax = 120
const bodyMax = 500

interface MailParts {
  readonly origin: string
  readonly workspace: Pick<Row<typeof Workspace>, 'id' | 'name' | 'timezone' | 'locale'>
  readonly choice: Pick<Row<typeof MailChoice>, 'frequency' | 'unsubscribe_token'>
  /** Newest first. */
  readonly news: readonly Row<typeof Notification>[]
  /** Total number of notifications. */
  readonly count: number
}

/** Writes a mail about notifications: subject, text and HTML. Texts of strangers are made one line and escaped. */
export function writeMail({ origin, workspace, choice, news, count }: MailParts) {
  const name = oneLine(workspace.name, 100)
  const [first] = news
  const title = first && count === 1 ? oneLine(first.title, subjectMax) : `${count} notifications`
  const subject = oneLine(`${name}: ${title}`, subjectMax)
  const base = pageUrl(origin, workspace.id, '/app')
  const all = pageUrl(origin, workspace.id, '/app/notifications')
  const unsubscribeUrl = `${origin}/app/mail/stop?token=${choice.unsubscribe_token}`
  const lines = news.map((row) => ({
    title: oneLine(row.title, 200),
    body: textIn(base, oneLine(row.body, bodyMax)),
    severity: severityWords[row.severity],
    at: instantWords(row.created_date, workspace),
  }))
  const more = count > news.length ? `${count - news.length} more are on the page.` : ''
  const why = `You get this ${frequencyWords[choice.frequency]} because you can see the workspace ${name}.`
  const text = [
    name,
    ...lines.map(({ title, body, severity, at }) => `${severity} · ${at}\n${title}\n${body}`),
    ...(more === '' ? [] : [more]),
    `All notifications: ${all}`,
    `${why}\nStop this mail: ${unsubscribeUrl}`,
  ].join('\n\n')
  const items = lines.map(
    ({ title, body, severity, at }) =>
      `<tr><td style="padding:12px 0;border-top:1px solid #e6e8eb"><div style="color:#5f6b76;font-size:13px">${escapeText(severity)} · ${escapeText(at)}</div><div style="font-weight:600" dir="auto">${escapeText(title)}</div><div dir="auto">${escapeText(body)}</div></td></tr>`,
  )
  const html = `<!doctype html><html><body style="margin:0;padding:24px;background:#fafafa;color:#16191d;font:14px/1.5 system-ui,sans-serif"><table role="presentation" style="max-width:600px;margin:0 auto;width:100%;background:#fff;border:1px solid #e6e8eb;border-radius:8px;padding:24px"><tr><td><h1 style="font-size:20px;margin:0 0 12px" dir="auto">${escapeText(name)}</h1></td></tr>${items.join('')}<tr><td style="padding:12px 0;border-top:1px solid #e6e8eb">${escapeText(more)} <a href="${escapeText(all)}">Open notifications</a></td></tr><tr><td style="color:#5f6b76;font-size:13px">${escapeText(why)} <a href="${escapeText(unsubscribeUrl)}">Stop this mail</a></td></tr></table></body></html>`
  return { subject, text, html, unsubscribeUrl }
}

const severityWords = { info: 'Info', warning: 'Warning', critical: 'Critical' } as const
const frequencyWords = {
  at_once: 'an email as soon as something happens',
  daily: 'daily mail',
  weekly: 'weekly mail',
  off: 'mail',
} as const

const instantWords = (instant: string, { timezone, locale }: MailParts['workspace']): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone }).format(
    new Date(instant),
  )

const escapeText = (text: string): string => Bun.escapeHTML(text)
