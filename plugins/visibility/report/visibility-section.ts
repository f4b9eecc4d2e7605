import { type Block, type Figure, type ReportSection, rateFigure } from 'renown/reports'
import { differenceRange, differenceWords, formatCount, formatDay } from 'renown/web'
import { evidence, type FrozenMeasure, measureFigure } from './frozen-change'
import { readVisibility, type VisibilityData, visibilityData } from './visibility-data'

const common = 'visibility.mention_rate_common@1'

/** How often AI assistants name the brands of a location, and what they cite. */
export const visibilitySection: ReportSection<VisibilityData> = {
  name: 'visibility',
  title: 'AI visibility',
  data: visibilityData,
  definitions: [
    {
      id: 'visibility.mention_rate@2',
      name: 'Named by AI assistants',
      text: 'The mean of the mention rates of all cells, each with the same weight. A cell is one question, assistant and country. Questions that name the brand are left out, and so are days on which an assistant seldom answered. n is the number of answers that were counted. Only answers that came and could be judged count. The 95 % interval holds that the answers of one day move together. The two periods are compared only if they have the same cells.',
    },
    {
      id: common,
      name: 'Named, in what both periods asked',
      text: 'The same mean over the cells that both periods have, without assistants whose model changed. n is the number of answers.',
    },
    {
      id: 'visibility.citation_rate@1',
      name: 'Answers that cite the website',
      text: "Share of the answers that cite the brand's own website, with its 95 % interval.",
    },
  ],
  collect: ({ reads }, { location, period, previous }) =>
    readVisibility(reads, location.id, { period, previous }),
  headline: (found) => [mentionRate(found)],
  blocks: (found) => [
    { kind: 'figures', figures: [mentionRate(found), ...commonRate(found.total), cited(found)] },
    ...certainty(found.total),
    ...trend(found),
    ...measures(
      'By assistant',
      'Assistant',
      found.by_engine.map((one) => [one.engine, one]),
    ),
    ...(found.by_tracker.length < 2
      ? []
      : measures(
          'By tracker',
          'Tracker',
          found.by_tracker.map((one) => [`${one.name} (${one.brand})`.slice(0, 300), one]),
          found.more_trackers,
        )),
    ...prompts(`Questions won since the ${formatCount(found.days, 'day')} before`, found.won),
    ...prompts(`Questions lost since the ${formatCount(found.days, 'day')} before`, found.lost),
    ...byChance(found),
    ...prompts('Questions where others are named', found.weakest),
    ...sources(found),
    ...notes(found),
    ...next(found),
  ],
}

const mentionRate = ({ total, empty_because }: VisibilityData): Figure =>
  measureFigure({ id: 'visibility.mention_rate', label: 'Named by AI assistants' }, total, empty_because)

function commonRate({ common: both, is_same, change_significant: isClear }: FrozenMeasure): Figure[] {
  if (both === null || is_same) return []
  const given = { id: 'visibility.common', label: 'Named, in what both periods asked', evidence }
  const { is_significant: _, ...figure } = rateFigure({ ...given, better: 'higher' }, both.now, both.before)
  return [{ ...figure, definition: common, ...(isClear === null ? {} : { is_significant: isClear }) }]
}

const cited = ({ cited: rate }: VisibilityData): Figure =>
  rateFigure(
    { id: 'visibility.cited', label: 'Answers that cite the website', better: 'higher', evidence },
    rate,
  )

/** Says that a change can be chance. */
function certainty({ change_significant: isClear, difference_ci95: range }: FrozenMeasure): Block[] {
  if (isClear !== false || range === null) return []
  return [note(`The change can be chance: it is ${differenceRange(range)} (95 %).`)]
}

const note = (text: string): Block => ({ kind: 'note', text })

function trend({ trend: points, total: { rate } }: VisibilityData): Block[] {
  const known = points.filter((point) => point.rate !== null)
  if (known.length < 2 || rate.rate === null) return []
  return [
    {
      kind: 'chart',
      title: 'Named by AI assistants',
      form: 'line',
      unit: 'share',
      alt: `Share of the answers that name the business, from ${percent(known[0]?.rate)} to ${percent(known.at(-1)?.rate)}.`,
      labels: points.map(({ from }) => formatDay(from, { year: false })),
      series: [{ name: 'Mention rate', values: points.map((point) => point.rate) }],
    },
  ]
}

const percent = (share: number | null | undefined) => `${((share ?? 0) * 100).toFixed(1)} %`

type Line = readonly [name: string, measure: FrozenMeasure]

function measures(title: string, label: string, lines: readonly Line[], more = 0): Block[] {
  if (lines.length === 0) return []
  return [
    {
      kind: 'table',
      title,
      columns: [
        { label, type: 'text' },
        ...(['Named', '95 % from', 'to'] as const).map((name) => ({ label: name, type: 'share' as const })),
        { label: 'Answers', type: 'count' },
        { label: 'Change', type: 'text' },
      ],
      rows: lines.map(([name, one]) => [
        name,
        one.rate.rate,
        one.rate.ci95?.[0] ?? null,
        one.rate.ci95?.[1] ?? null,
        one.rate.n,
        changeOf(one),
      ]),
      ...(more === 0 ? {} : { more }),
    },
  ]
}

function changeOf({ common: both, change_significant, not_comparable_because: why, is_same }: FrozenMeasure) {
  const [now = null, before = null] = both ? [both.now.rate, both.before.rate] : []
  const difference = now === null || before === null ? null : now - before
  const { text } = differenceWords({ difference, change_significant }, 'share', why)
  return is_same || difference === null ? text : `${text}, in what both periods asked`
}

/** Of many compared questions, some look changed by chance alone. */
function byChance({ compared, won, lost }: VisibilityData): Block[] {
  const expected = Math.round(compared / 20)
  if (won.length + lost.length === 0 || expected === 0) return []
  return [
    note(
      `${formatCount(compared, 'question')} were compared. Chance alone makes about ${expected} of them look won or lost.`,
    ),
  ]
}

function prompts(title: string, lines: VisibilityData['won']): Block[] {
  if (lines.length === 0) return []
  return [
    {
      kind: 'table',
      title,
      columns: [
        { label: 'Question', type: 'text' },
        { label: 'Named', type: 'share' },
        { label: 'Before', type: 'share' },
        { label: 'Answers', type: 'count' },
        { label: 'Named instead', type: 'text' },
      ],
      rows: lines.map(({ text, rate, previous_rate, answers, instead }) => [
        { quote: text },
        rate,
        previous_rate,
        answers,
        instead === null ? null : instead.length === 0 ? 'nobody' : instead.join(', '),
      ]),
    },
  ]
}

function sources({ sources: lines, more_sources: more }: VisibilityData): Block[] {
  if (lines.length === 0) return []
  return [
    {
      kind: 'table',
      title: 'Sources that AI assistants cite',
      columns: [
        { label: 'Source', type: 'text' },
        { label: 'Answers that cite it', type: 'share' },
        { label: 'Citations', type: 'count' },
      ],
      rows: lines.map(({ domain, is_own, cited: { rate }, citations }) => [
        is_own ? `${domain} (own)` : domain,
        rate,
        citations,
      ]),
      ...(more === 0 ? {} : { more }),
    },
  ]
}

/** What the figures leave out, and what changed outside. */
function notes(found: VisibilityData): Block[] {
  const { incidents, more_incidents, model_changes, more_model_changes, failed, more_prompts } = found
  return [
    ...incidents.map(({ engine, day, answered, unanswered }) =>
      note(
        `On ${formatDay(day)}, ${engine} answered ${answered} of ${formatCount(answered + unanswered, 'question')}. The rates leave this day out.`,
      ),
    ),
    ...more(more_incidents, 'more day like this', 'more days like this'),
    ...model_changes.map(({ engine, from, to, at }) =>
      note(
        `${engine} changed its model from ${from} to ${to} on ${formatDay(at.slice(0, 10))}. Answers of two models are not compared.`,
      ),
    ),
    ...more(more_model_changes, 'more change of a model', 'more changes of models'),
    ...more(
      failed,
      'question got no answer. It does not count',
      'questions got no answer. They do not count',
    ),
    ...more(more_prompts, 'question is not in the lists above', 'questions are not in the lists above'),
  ]
}

const more = (count: number, one: string, several: string): Block[] =>
  count === 0 ? [] : [note(`${formatCount(count, one, several)}.`)]

function next({ lost, weakest }: VisibilityData): Block[] {
  const count = lost.length > 0 ? lost.length : weakest.length
  if (count === 0) return []
  const [one, several] =
    lost.length > 0
      ? ['question that was lost', 'questions that were lost']
      : ['question where others are named', 'questions where others are named']
  const text = `Read the answers to the ${formatCount(count, one, several)}, and the sources that they cite.`
  return [{ kind: 'next', items: [{ text, href: evidence }] }]
}
