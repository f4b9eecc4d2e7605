import {
  type Block,
  countFigure,
  type Figure,
  type QuotedText,
  type ReportSection,
  rateFigure,
} from 'renown/reports'
import { formatCount, formatDay } from 'renown/web'
import { type MentionsData, mentionsData, readMentions } from './mentions-data'

/** Mentions of a business on the web, the leads among them, and what was done about them. */
export const mentionsSection: ReportSection<MentionsData> = {
  name: 'mentions',
  title: 'Mentions and leads',
  data: mentionsData,
  definitions: [
    {
      id: 'relevant_mentions@1',
      name: 'Relevant mentions',
      text: 'Public posts about the business whose day of posting, in the time zone of the workspace, is in the period. Copies of a post are counted once. Archived posts and posts that their authors deleted are left out.',
    },
    {
      id: 'mentions.negative_share@2',
      name: 'Negative mentions',
      text: 'Share of the relevant mentions with negative sentiment, among those with known sentiment, with a 95 % Wilson interval. A mixed mention is not negative.',
    },
    {
      id: 'new_leads@1',
      name: 'New leads',
      text: 'People who may buy, found in mentions. The day on which Renown found the lead is in the period. Archived leads are left out.',
    },
  ],
  collect: ({ reads }, { location, period, previous }) =>
    readMentions(reads, location.id, { period, previous }),
  headline: (found) => [mentions(found), negative(found), leads(found)],
  score: ({ now: { negative: share } }) =>
    share.rate === null ? null : { value: (1 - share.rate) * 100, weight: 1 },
  notable: ({ quotes }) => quotes.map(quoted),
  blocks: (found) => [
    { kind: 'figures', figures: [mentions(found), negative(found), leads(found)] },
    ...(found.unjudged === 0
      ? []
      : [
          note(
            `${formatCount(found.unjudged, 'mention is', 'mentions are')} not judged yet, and not counted.`,
          ),
        ]),
    ...undated(found),
    ...bySource(found),
    ...bySentiment(found),
    ...(found.quotes.length === 0
      ? []
      : [{ kind: 'evidence' as const, title: 'Mentions worth reading', items: found.quotes.map(quoted) }]),
    ...(found.unquoted === 0
      ? []
      : [
          note(
            `${formatCount(found.unquoted, 'mention is', 'mentions are')} not quoted: the terms of the source do not allow a report to keep the text, or are unknown.`,
          ),
        ]),
    ...stages(found),
    ...did(found),
    ...next(found),
  ],
}

const note = (text: string): Block => ({ kind: 'note', text })

/** Says how many posts are in no figure of the period, because nobody knows their date. */
function undated({ undated: posts = 0 }: MentionsData): Block[] {
  if (posts === 0) return []
  const found = formatCount(
    posts,
    'mention that Renown found in this period has',
    'mentions that Renown found in this period have',
  )
  return [note(`${found} no known date, and no figure counts ${posts === 1 ? 'it' : 'them'}.`)]
}

/** Returns the previous value, or why it cannot be compared. */
const compared = <Value>({ not_comparable_because: day }: MentionsData, previous: Value) =>
  day === null
    ? { previous, why: {} }
    : { previous: undefined, why: { not_comparable_because: `a tracker was added on ${formatDay(day)}` } }

function mentions(found: MentionsData): Figure {
  const { previous, why } = compared(found, found.previous.mentions)
  const given = { id: 'mentions.relevant', label: 'Relevant mentions', definition: 'relevant_mentions@1' }
  return { ...countFigure({ ...given, evidence }, found.now.mentions, previous), ...why }
}

function negative(found: MentionsData): Figure {
  const { previous, why } = compared(found, found.previous.negative)
  const given = { id: 'mentions.negative', label: 'Negative mentions', better: 'lower' as const, evidence }
  const figure = rateFigure(given, found.now.negative, previous)
  if (figure.value !== null) return { ...figure, ...why }
  return { ...figure, unknown_because: 'no relevant mention has a known sentiment' }
}

function leads(found: MentionsData): Figure {
  const { previous, why } = compared(found, found.previous.leads)
  const given = { id: 'leads.new', label: 'New leads', definition: 'new_leads@1' }
  const figure = countFigure(
    { ...given, better: 'higher', evidence: '/app/leads' },
    found.now.leads,
    previous,
  )
  return { ...figure, ...why }
}

const evidence = '/app/mentions'

function bySource({ by_source: lines }: MentionsData): Block[] {
  if (lines.length === 0) return []
  return [
    {
      kind: 'table',
      title: 'By platform',
      columns: [
        { label: 'Platform', type: 'text' },
        { label: 'Mentions', type: 'count' },
        { label: 'Negative ones', type: 'count' },
      ],
      rows: lines.map(({ source, mentions: all, negative: bad }) => [source, all, bad]),
    },
  ]
}

function bySentiment({ by_sentiment: lines, now }: MentionsData): Block[] {
  const shown = lines.filter(({ mentions: count }) => count > 0)
  if (shown.length === 0) return []
  const labels = shown.map(({ sentiment }) => sentiment ?? 'not known')
  return [
    {
      kind: 'chart',
      title: 'By sentiment',
      form: 'bars',
      unit: 'count',
      labels,
      alt: `Sentiment of ${formatCount(now.mentions, 'mention')}: ${shown.map(({ mentions: count }, place) => `${labels[place]} ${count}`).join(', ')}.`,
      series: [{ name: 'Mentions', values: shown.map(({ mentions: count }) => count) }],
    },
  ]
}

const quoted = ({ text, lang, author, source, at, url }: MentionsData['quotes'][number]): QuotedText => ({
  quote: text,
  source,
  ...(at === undefined ? {} : { at }),
  ...(lang === undefined ? {} : { lang }),
  ...(author === undefined ? {} : { author }),
  ...(url === undefined ? {} : { href: url }),
})

function stages({ stages: lines, now }: MentionsData): Block[] {
  if (now.leads === 0) return []
  return [
    {
      kind: 'table',
      title: 'New leads by their stage now',
      columns: [
        { label: 'Stage', type: 'text' },
        { label: 'Leads', type: 'count' },
      ],
      rows: lines.filter(({ leads: count }) => count > 0).map(({ stage, leads: count }) => [stage, count]),
    },
  ]
}

function did({ now, stages: lines }: MentionsData): Block[] {
  const [won = 0] = lines.flatMap(({ stage, leads: count }) => (stage === 'won' ? [count] : []))
  const items = [
    ...(now.replies === 0
      ? []
      : [{ text: `${formatCount(now.replies, 'mention')} answered.`, href: '/app/mentions?state=replied' }]),
    ...(won === 0 ? [] : [{ text: `${formatCount(won, 'new lead')} won.`, href: '/app/leads' }]),
  ]
  return items.length === 0 ? [] : [{ kind: 'did', items }]
}

function next({ waiting, stages: lines }: MentionsData): Block[] {
  const [open = 0] = lines.flatMap(({ stage, leads: count }) => (stage === 'new' ? [count] : []))
  const items = [
    ...(waiting === 0
      ? []
      : [
          {
            text: `Decide about ${formatCount(waiting, 'negative mention')} that nobody has worked on.`,
            href: '/app/mentions?sentiment=negative',
          },
        ]),
    ...(open === 0
      ? []
      : [{ text: `Contact ${formatCount(open, 'lead')} still in the stage new.`, href: '/app/leads' }]),
  ]
  return items.length === 0 ? [] : [{ kind: 'next', items }]
}
