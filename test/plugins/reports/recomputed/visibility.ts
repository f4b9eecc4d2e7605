import {
  type Days,
  dayOf,
  daysOf,
  groups,
  isDifferent,
  monday,
  plusDays,
  type Row,
  share,
  wilson,
} from './plain'

interface Asked {
  readonly runs: readonly Row[]
  readonly prompts: readonly Row[]
  readonly trackers: readonly Row[]
  readonly location: Row
  readonly now: Days
  readonly before: Days
  readonly timezone: string
  labelOf(engine: string): string
}

/** What all figures of a location are made of. */
function world(asked: Asked) {
  const { location, timezone } = asked
  const trackers = asked.trackers
    .filter((row) => row.location_id === location.id)
    .sort((a, b) => (a.created_date < b.created_date ? -1 : 1))
  const ids = new Set(trackers.map((row) => row.id))
  const first = plusDays(asked.before.from, -2)
  const runs = asked.runs
    .filter((row) => ids.has(row.tracker_id) && row.started_at >= first)
    .map((row): Row => ({ ...row, day: dayOf(row.started_at, timezone) }))
  const prompts = asked.prompts.filter((row) => ids.has(row.tracker_id))
  const isBranded = (prompt: Row): boolean => {
    const tracker = trackers.find((row) => row.id === prompt.tracker_id) as Row
    return [tracker.brand_name, ...tracker.brand_aliases].some((name: string) => hasName(prompt.text, name))
  }
  const open = new Set(prompts.filter((row) => !isBranded(row)).map((row) => row.id as string))
  const between = (days: Days) => runs.filter((row) => row.day >= days.from && row.day <= days.to)
  return { trackers, prompts, open, isBranded, between }
}

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a text has a name as a word of its own. */
function hasName(text: string, name: string): boolean {
  const inside = folded(text)
  const wanted = folded(name)
  // These scripts have no spaces between words.
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(wanted)) return inside.includes(wanted)
  for (let at = inside.indexOf(wanted); at >= 0; at = inside.indexOf(wanted, at + 1)) {
    const left = inside[at - 1] ?? ' '
    const right = inside[at + wanted.length] ?? ' '
    if (!/[\p{L}\p{N}]/u.test(left) && !/[\p{L}\p{N}]/u.test(right)) return true
  }
  return false
}

const isAnswer = (row: Row) => row.status === 'ok'

/** Why there is no answer that counts, as far as rows of the period tell. */
const whyNone = (answers: readonly Row[], all: readonly Row[]) =>
  answers.length > 0 ? null : all.some(({ status }) => status === 'not_judged') ? 'not_judged' : undefined

/** Days on which an assistant answered much less often than on its other days. */
function incidentsOf(runs: readonly Row[]): Row[] {
  return [...groups(runs, (row) => row.engine)]
    .flatMap(([engine, own]) => {
      const days = [...groups(own, (row) => row.day)].map(([day, rows]) => {
        const answered = rows.filter(isAnswer).length
        return { engine, day, answered, unanswered: rows.length - answered }
      })
      return days.filter(({ day, answered, unanswered }) => {
        const others = days.filter((one) => one.day !== day)
        const yes = others.reduce((sum, one) => sum + one.answered, 0)
        const no = others.reduce((sum, one) => sum + one.unanswered, 0)
        if (answered + unanswered < 10 || yes + no < 30) return false
        const here = wilson(unanswered, answered + unanswered) as [number, number]
        const usual = wilson(no, yes + no) as [number, number]
        return here[0] > usual[1] && unanswered / (answered + unanswered) - no / (yes + no) >= 0.2
      })
    })
    .sort((a, b) => (`${a.day} ${a.engine}` < `${b.day} ${b.engine}` ? -1 : 1))
}

interface Cell {
  readonly key: string
  readonly series: string
  readonly k: number
  readonly n: number
}

const cellKey = (row: Row) => JSON.stringify([row.tracker_id, row.prompt_id, row.engine, row.country])
const seriesKey = (row: Row) => JSON.stringify([row.tracker_id, row.engine])

const cellsOf = (rows: readonly Row[]): Cell[] =>
  [...groups(rows, cellKey)].map(([key, own]) => ({
    key,
    series: seriesKey(own[0] as Row),
    k: own.filter((row) => row.brand_mentioned).length,
    n: own.length,
  }))

const millionths = (value: number) => Math.round(value * 1e6) / 1e6

/** The mean of the rates of cells, each with the same weight, with the interval of a stratified sample. */
function rateOf(cells: readonly Cell[]): Row {
  const n = cells.reduce((sum, cell) => sum + cell.n, 0)
  const k = cells.reduce((sum, cell) => sum + cell.k, 0)
  if (cells.length === 0) return { k: 0, n: 0, rate: null, ci95: null, size: 0 }
  const mean = cells.reduce((sum, cell) => sum + cell.k / cell.n, 0) / cells.length
  const repeated = cells.filter((cell) => cell.n > 1).length / cells.length
  const variance =
    cells.reduce((sum, cell) => {
      const rate = cell.k / cell.n
      return sum + (cell.n > 1 ? (rate * (1 - rate)) / (cell.n - 1) : 0.25)
    }, 0) /
    cells.length ** 2
  const isSpread = repeated >= 0.8 && mean > 0 && mean < 1 && variance > 0
  const size = isSpread ? Math.min((mean * (1 - mean)) / variance, 25 * n) : n
  return { k, n, rate: mean, ci95: wilson(mean * size, size), size }
}

const shown = ({ k, n, rate, ci95 }: Row): Row => ({ k, n, rate, ci95 })

/** A mention rate with its change over the cells that both periods have. */
function measureOf(
  now: readonly Cell[],
  before: readonly Cell[],
  changed: ReadonlySet<string>,
  hasChange: boolean,
): Row {
  const all = rateOf(now)
  const [here, there] = [now, before].map((cells) => cells.filter((cell) => !changed.has(cell.series))) as [
    Cell[],
    Cell[],
  ]
  const keysOf = (cells: readonly Cell[]) => new Set(cells.map((cell) => cell.key))
  const hereKeys = keysOf(here)
  const thereKeys = keysOf(there)
  const a = rateOf(here.filter((cell) => thereKeys.has(cell.key)))
  const b = rateOf(there.filter((cell) => hereKeys.has(cell.key)))
  const common = here.filter((cell) => thereKeys.has(cell.key)).length
  const came = here.length - common
  const left = there.length - common
  const isBoth = a.rate !== null && b.rate !== null
  const range = isBoth
    ? [
        a.rate - b.rate - Math.sqrt((a.rate - a.ci95[0]) ** 2 + (b.ci95[1] - b.rate) ** 2),
        a.rate - b.rate + Math.sqrt((a.ci95[1] - a.rate) ** 2 + (b.rate - b.ci95[0]) ** 2),
      ].map(millionths)
    : null
  const isSame = isBoth && common === now.length && left === 0
  const why = hasChange
    ? 'the model of an assistant changed'
    : common === 0 && left === 0
      ? 'nothing was asked in the previous period'
      : common === 0
        ? 'the two periods have no question in common'
        : `the questions changed: ${came} came and ${left} left`
  return {
    rate: shown(all),
    effective_n: Math.round(all.size),
    is_same: isSame,
    common: isBoth ? { now: shown(a), before: shown(b) } : null,
    not_comparable_because: isSame || all.rate === null ? null : why,
    difference_ci95: range,
    change_significant: range === null ? null : (range[0] as number) > 0 || (range[1] as number) < 0,
  }
}

/** New models of an assistant in the answers of both periods. */
function modelChangesOf(answers: readonly Row[]): Row[] {
  const known = answers.filter((row) => (row.model_asked ?? '') !== '')
  return [...groups(known, seriesKey).values()]
    .flatMap((own) => {
      const firsts = [...groups(own, (row) => row.model_asked)]
        .map(([model, rows]) => ({
          model,
          at: rows.map((row) => row.started_at as string).sort()[0] as string,
        }))
        .sort((a, b) => (a.at < b.at ? -1 : 1))
      return firsts.slice(1).map(({ model, at }, place) => ({
        tracker_id: own[0]?.tracker_id,
        engine: own[0]?.engine,
        from: firsts[place]?.model,
        to: model,
        at,
      }))
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1))
}

export function visibilityOf(asked: Asked): Row | undefined {
  const { trackers, prompts, open, isBranded, between } = world(asked)
  if (trackers.length === 0) return undefined
  const both = between({ from: asked.before.from, to: asked.now.to })
  const all = between(asked.now)
  const earlier = between(asked.before)
  const incidents = incidentsOf(both)
  const isSound = (row: Row) => !incidents.some((one) => one.engine === row.engine && one.day === row.day)
  const counts = (row: Row) => isAnswer(row) && isSound(row) && open.has(row.prompt_id)
  const changes = modelChangesOf(both.filter(isAnswer))
  const changed = new Set(changes.map(seriesKey))
  const measure = (matches: (row: Row) => boolean, isChanged: boolean) =>
    measureOf(
      cellsOf(all.filter((row) => counts(row) && matches(row))),
      cellsOf(earlier.filter((row) => counts(row) && matches(row))),
      changed,
      isChanged,
    )
  const answers = all.filter(isAnswer)
  const cited = answers.filter((row) => row.brand_cited).length
  const sources = sourcesOf(answers)
  return {
    answers: answers.length,
    empty_because: whyNone(answers, all),
    days: daysOf(asked.now).length,
    failed: all.filter((row) => !isAnswer(row) && row.status !== 'not_judged').length,
    total: measure(() => true, changes.length > 0),
    cited: share(cited, answers.length),
    by_engine: [...groups(answers, (row) => row.engine)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, 12)
      .map(([engine, own]) => ({
        engine: asked.labelOf(engine),
        answers: own.length,
        ...measure(
          (row) => row.engine === engine,
          changes.some((one) => one.engine === engine),
        ),
      })),
    by_tracker: trackers.slice(0, 10).map(({ id, name, brand_name: brand }) => ({
      name,
      brand,
      answers: answers.filter((row) => row.tracker_id === id).length,
      ...measure(
        (row) => row.tracker_id === id,
        changes.some((one) => one.tracker_id === id),
      ),
    })),
    more_trackers: Math.max(0, trackers.length - 10),
    trend: trendOf(asked.now, all.filter(counts)),
    ...promptsOf(asked, trackers, prompts, isBranded, between),
    sources: sources.slice(0, 10),
    more_sources: Math.max(0, sources.length - 10),
    incidents: incidents.slice(0, 8).map((one) => ({ ...one, engine: asked.labelOf(one.engine) })),
    more_incidents: Math.max(0, incidents.length - 8),
    model_changes: changes
      .slice(0, 8)
      .map(({ engine, from, to, at }) => ({ engine: asked.labelOf(engine), from, to, at })),
    more_model_changes: Math.max(0, changes.length - 8),
  }
}

function trendOf(days: Days, rows: readonly Row[]): Row[] {
  const all = daysOf(days)
  const startOf = (day: string) =>
    all.length <= 14 ? day : all.length <= 140 ? monday(day) : `${day.slice(0, 7)}-01`
  return [...new Set(all.map(startOf))].map((from) => ({
    from,
    rate: rateOf(cellsOf(rows.filter((row) => startOf(row.day) === from))).rate,
  }))
}

/** Questions that name the brand more or less often than in as many days before, and the weakest ones. */
function promptsOf(
  asked: Asked,
  trackers: readonly Row[],
  prompts: readonly Row[],
  isBranded: (prompt: Row) => boolean,
  between: (days: Days) => Row[],
): Row {
  const length = daysOf(asked.now).length
  const now = between(asked.now).filter(isAnswer)
  const before = between({
    from: plusDays(asked.now.from, -length),
    to: plusDays(asked.now.from, -1),
  }).filter(isAnswer)
  const lines = trackers.slice(0, 10).flatMap(({ id }) =>
    prompts
      .filter((one) => one.tracker_id === id)
      .map((prompt): Row => {
        const [own, earlier] = [now, before].map((rows) =>
          rows.filter((row) => row.prompt_id === prompt.id),
        ) as [Row[], Row[]]
        const named = own.filter((row) => row.brand_mentioned).length
        const namedBefore = earlier.filter((row) => row.brand_mentioned).length
        const unnamed = own.filter((row) => !row.brand_mentioned)
        const instead = new Map<string, number>()
        for (const row of unnamed)
          for (const name of new Set<string>(row.competitor_mentions.map((one: Row) => one.name)))
            instead.set(name, (instead.get(name) ?? 0) + 1)
        return {
          id: prompt.id,
          text: prompt.text,
          answers: own.length,
          rate: own.length === 0 ? null : named / own.length,
          previous_rate: earlier.length === 0 ? null : namedBefore / earlier.length,
          instead: [...instead]
            .sort(([a, k], [b, l]) => l - k || (a < b ? -1 : 1))
            .slice(0, 3)
            .map(([name]) => name),
          isOpen: !isBranded(prompt) && own.length > 0,
          isChanged: isDifferent(named, own.length, namedBefore, earlier.length),
        }
      })
      .sort((a, b) => b.answers - a.answers || (a.id < b.id ? -1 : 1)),
  )
  const open = lines.filter((line) => line.isOpen)
  const movedBy = (line: Row) => Math.abs(line.rate - (line.previous_rate ?? 0))
  const line = ({ text, answers, rate, previous_rate, instead }: Row): Row => ({
    text,
    answers,
    rate,
    previous_rate,
    instead,
  })
  const moved = (isWon: boolean) =>
    open
      .filter((one) => one.isChanged === true && one.rate > (one.previous_rate ?? 0) === isWon)
      .sort((a, b) => movedBy(b) - movedBy(a))
      .slice(0, 10)
      .map(line)
  return {
    won: moved(true),
    lost: moved(false),
    more_prompts: 0,
    weakest: open
      .filter((one) => one.rate < 0.5)
      .sort((a, b) => a.rate - b.rate || b.answers - a.answers)
      .slice(0, 10)
      .map(line),
  }
}

function sourcesOf(answers: readonly Row[]): Row[] {
  const found = new Map<string, Row>()
  for (const row of answers)
    for (const [domain, mine] of groups(row.citations, (one) => one.domain)) {
      const source = found.get(domain) ?? { domain, is_own: false, cited: 0, consulted: 0, citations: 0 }
      const cited = mine.filter((one) => one.cited).length
      source.is_own ||= mine.some((one) => one.is_own)
      if (cited > 0) source.cited++
      else source.consulted++
      source.citations += cited
      found.set(domain, source)
    }
  return [...found.values()]
    .sort((a, b) => b.cited - a.cited || b.consulted - a.consulted || (a.domain < b.domain ? -1 : 1))
    .map(({ domain, is_own, cited, citations }) => ({
      domain,
      is_own,
      cited: share(cited, answers.length),
      citations,
    }))
}

/** `visibility` has the recomputed figures of the location: voices are comparable if its trackers are. */
export function competitorsOf(asked: Asked, visibility: Row | undefined): Row | undefined {
  const { trackers: all, between, prompts, isBranded } = world(asked)
  const trackers = all.filter((row) => row.competitors.length > 0)
  if (trackers.length === 0) return undefined
  const branded = new Set(prompts.filter(isBranded).map((row) => row.id as string))
  const of = (tracker: Row, days: Days) => {
    const answers = between(days).filter((row) => isAnswer(row) && row.tracker_id === tracker.id)
    const plain = answers.filter((row) => !branded.has(row.prompt_id))
    const names = [tracker.brand_name, ...tracker.competitors.map((one: Row) => one.name)] as string[]
    const placesOf = (rows: readonly Row[], name: string) =>
      rows.flatMap((row): (number | undefined)[] => {
        if (name === tracker.brand_name) return row.brand_mentioned ? [row.brand_position] : []
        const mine = row.competitor_mentions.find((one: Row) => one.name === name)
        return mine ? [mine.position] : []
      })
    const counts = new Map(names.map((name) => [name, placesOf(plain, name).length]))
    const sum = [...counts.values()].reduce((one, other) => one + other, 0)
    return { answers, plain, names, counts, sum, placesOf }
  }
  return {
    trackers: trackers.slice(0, 10).map((tracker) => {
      const now = of(tracker, asked.now)
      const before = of(tracker, asked.before)
      const measured = visibility?.by_tracker[all.indexOf(tracker)]
      return {
        name: tracker.name,
        brand: tracker.brand_name,
        answers: now.plain.length,
        previous_answers: before.plain.length,
        empty_because: whyNone(
          now.answers,
          between(asked.now).filter((row) => row.tracker_id === tracker.id),
        ),
        not_comparable_because: measured?.not_comparable_because,
        voices: [...now.counts]
          .sort(([a, k], [b, l]) => l - k || (a < b ? -1 : 1))
          .map(([name, k]) => {
            const places = now.placesOf(now.answers, name).filter((one) => one !== undefined)
            return {
              name,
              is_brand: name === tracker.brand_name,
              share: share(k, now.sum),
              presence: share(k, now.plain.length),
              previous_share: share(before.counts.get(name) ?? 0, before.sum),
              avg_position:
                places.length === 0 ? null : places.reduce((sum, one) => sum + one, 0) / places.length,
              positions: places.length,
            }
          }),
        more_voices: 0,
      }
    }),
    more_trackers: Math.max(0, trackers.length - 10),
  }
}
