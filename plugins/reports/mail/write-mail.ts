import { oneLine } from 'renown'
import type { BlockOf, Figure, ReportTree } from '../blocks/block'
import { changeOf, shownNumber } from '../blocks/format'

const figuresMax = 5
const subjectMax = 120

/** What a message with a report needs besides its tree. */
export interface MailLinks {
  /** The page of the shared report. Null if it is not shared. */
  readonly page: string | null
  /** The address of the PDF. Null if it is attached. */
  readonly pdf: string | null
  readonly stop: string
}

/** Id of the picture of the chart in the HTML part. */
export const chartId = 'chart@report'
/** Id of the picture of the logo in the HTML part. */
export const logoId = 'logo@report'
const logoHeight = 48
const logoWidth = 240

/** The pictures that a message has. */
export interface MailPictures {
  readonly hasChart: boolean
  /** The size of the logo. Null without one. */
  readonly logo: { readonly width: number; readonly height: number } | null
}

/** Returns the first figures of a report. */
const figuresIn = ({ sections }: ReportTree): readonly Figure[] =>
  sections
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'figures' ? block.figures : [])))
    .slice(0, figuresMax)

/** Returns the first chart of a report. */
export const chartIn = ({ sections }: ReportTree): BlockOf<'chart'> | undefined =>
  sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'chart')

const paragraphsIn = ({ sections }: ReportTree): readonly string[] =>
  sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'text' && block.by === 'person' ? block.paragraphs : []))

const lineOf = (figure: Figure) => {
  const { label, value, unit, unknown_because: why } = figure
  const number = shownNumber(value, unit)
  const change = changeOf(figure)?.words
  const more = value === null ? why : change
  return { label, number, more: more ?? '' }
}

/** Writes the subject and both parts of a message with a report, from the tree that every other form is made of. */
export function writeReportMail(tree: ReportTree, links: MailLinks, { hasChart, logo }: MailPictures) {
  const about = `${tree.title}: ${oneLine(tree.subject, 80)}, ${tree.period}`
  const lines = figuresIn(tree).map(lineOf)
  const paragraphs = paragraphsIn(tree)
  const chart = chartIn(tree)
  const pdf = links.pdf === null ? 'The whole report is attached as a PDF.' : 'The whole report as a PDF:'
  const why = `You get this report because you confirmed this address, or because you have an account at ${oneLine(tree.from, 100)}.`
  const text = [
    about,
    ...paragraphs,
    lines
      .map(({ label, number, more }) => `- ${label}: ${number}${more === '' ? '' : `, ${more}`}`)
      .join('\n'),
    ...(chart ? [`${chart.title}: ${chart.alt}`] : []),
    links.pdf === null ? pdf : `${pdf} ${links.pdf}`,
    ...(links.page === null ? [] : [`Read it in your browser: ${links.page}`]),
    `${why}\nStop this mail: ${links.stop}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  const color = tree.brand?.color ?? linkColor
  const rows = lines.map(
    ({ label, number, more }) =>
      `<tr><td style="${cell};color:#4b5563" dir="auto">${escaped(label)}</td><td style="${cell};text-align:right"><strong>${escaped(number)}</strong><br><span style="color:#4b5563;font-size:13px">${escaped(more)}</span></td></tr>`,
  )
  const picture = !chart
    ? ''
    : hasChart
      ? `<p style="margin:24px 0 8px;font-weight:600">${escaped(chart.title)}</p><img src="cid:${chartId}" width="552" style="width:100%;max-width:552px;height:auto" alt="${escaped(chart.alt)}">`
      : `<p><strong>${escaped(chart.title)}</strong>: ${escaped(chart.alt)}</p>`
  const html = page(
    tree.title,
    `${headOf(tree, logo)}<p style="margin:0;color:#4b5563">${escaped(tree.period)}</p><h1 style="font-size:22px;margin:4px 0;color:${color}">${escaped(tree.title)}</h1><p style="font-size:16px;margin:0 0 16px" dir="auto">${escaped(tree.subject)}</p>${paragraphs.map((one) => `<p dir="auto">${escaped(one)}</p>`).join('')}<table role="presentation" style="width:100%;border-collapse:collapse">${rows.join('')}</table>${picture}<p>${links.pdf === null ? pdf : `<a href="${escaped(links.pdf)}" style="color:${color}">The whole report as a PDF</a>`}</p>${links.page === null ? '' : `<p><a href="${escaped(links.page)}" style="color:${color}">Read it in your browser</a></p>`}`,
    `${escaped(why)} <a href="${escaped(links.stop)}" style="color:#4b5563">Stop this mail</a>${tree.brand?.shows_renown ? '<br>Made with Renown' : ''}`,
  )
  return { subject: oneLine(about, subjectMax), text, html }
}

/** Returns the logo of the sender, or else the name. */
function headOf({ from }: ReportTree, logo: MailPictures['logo']): string {
  if (!logo) return `<p style="margin:0 0 16px;font-weight:600" dir="auto">${escaped(oneLine(from, 100))}</p>`
  const scale = Math.min(1, logoHeight / logo.height, logoWidth / logo.width)
  const [width, height] = [logo.width, logo.height].map((side) => Math.max(1, Math.round(side * scale)))
  return `<p style="margin:0 0 16px"><img src="cid:${logoId}" width="${width}" height="${height}" alt="${escaped(oneLine(from, 100))}" style="border:0;font-weight:600"></p>`
}

/** Writes the message that asks somebody to confirm the address. */
export function writeConfirmation(
  {
    color = linkColor,
    ...names
  }: { readonly agency: string; readonly business: string; readonly color?: string | undefined },
  links: { readonly confirm: string; readonly stop: string },
) {
  const agency = oneLine(names.agency, 100)
  const business = oneLine(names.business, 100)
  const asks = `${agency} wants to send you reports about ${business} by email.`
  const next =
    'You get them only if you confirm. The link works for 14 days. If you did not expect this, do nothing.'
  return {
    subject: oneLine(`Confirm reports about ${business}`, subjectMax),
    text: `${asks}\n\nConfirm: ${links.confirm}\n\n${next}\n\nNever ask again: ${links.stop}`,
    html: page(
      'Confirm reports',
      `<h1 style="font-size:20px;margin:0 0 12px">Confirm reports</h1><p dir="auto">${escaped(asks)}</p><p><a href="${escaped(links.confirm)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:${color};color:#ffffff;text-decoration:none">Confirm</a></p><p style="color:#4b5563">${escaped(next)}</p>`,
      `<a href="${escaped(links.stop)}" style="color:#4b5563">Never ask again</a>`,
    ),
  }
}

const linkColor = '#1d5fbf'
const cell = 'padding:8px 0;border-top:1px solid #e6e8eb;vertical-align:top'
const escaped = (text: string): string => Bun.escapeHTML(text.toWellFormed())

const page = (title: string, body: string, foot: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escaped(title)}</title></head><body style="margin:0;padding:16px;background:#fafafa;color:#16191d;font:15px/1.5 system-ui,sans-serif"><table role="presentation" style="max-width:600px;margin:0 auto;width:100%;background:#ffffff;border:1px solid #e6e8eb;border-radius:8px"><tr><td style="padding:24px">${body}</td></tr><tr><td style="padding:16px 24px;border-top:1px solid #e6e8eb;color:#4b5563;font-size:13px">${foot}</td></tr></table></body></html>`
