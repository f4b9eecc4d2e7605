import {
  type Days,
  dayOf,
  daysOf,
  groups,
  monday,
  plusDays,
  quantile,
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
  readonly rows: readonly Row[]
}

const cellKey = (row: Row) => JSON.stringify([row.tracker_id, row.prompt_id, row.engine, row.country])
const seriesKey = (row: Row) => JSON.stringify([row.tracker_id, row.engine])

const cellsOf = (rows: readonly Row[]): Cell[] =>
  [...groups(rows, cellKey)].map(([key, own]) => ({
    key,
    series: seriesKey(own[0] as Row),
    k: own.filter((row) => row.brand_mentioned).length,
    n: own.length,
    rows: own,
  }))

const millionths = (value: number) => Math.round(value * 1e6) / 1e6

const roundKey = (row: Row) => JSON.stringify([row.tracker_id, row.engine, row.country])
const total = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0)
const isHit = (row: Row) => row.brand_mentioned

/** The variance of one answer inside a cell. */
const insideOf = ({ k, n }: Cell) => (k * (n - k)) / n / (n - 1)

/** How much the days of cells differ: variance of their mean by days, and what a day moves. Null for few days. */
function daysOfCells(cells: readonly Cell[]): Row | null {
  const rows = cells.flatMap((cell) => cell.rows)
  const series = groups(rows, roundKey)
  const shareOfSeries = (name: string) =>
    cells.filter((cell) => roundKey(cell.rows[0] as Row) === name).length / cells.length
  const days = [...groups(rows, (row) => row.day).values()].map((own) => {
    let moved = 0
    let weight = 0
    for (const [name, all] of series) {
      const here = own.filter((row) => roundKey(row) === name)
      const usual = all.filter(isHit).length / all.length
      weight += (shareOfSeries(name) * here.length) / all.length
      moved += (shareOfSeries(name) * (here.filter(isHit).length - here.length * usual)) / all.length
    }
    return { moved, weight }
  })
  const size = total(days.map(({ weight }) => weight)) ** 2 / total(days.map(({ weight }) => weight ** 2))
  if (!(size >= 2.5)) return null
  const variance = (total(days.map(({ moved }) => moved ** 2)) * size) / (size - 1)
  const spreads = cells.filter(({ n }) => n > 1).map(insideOf)
  const usual = spreads.length === 0 ? 0 : total(spreads) / spreads.length
  return {
    variance,
    freedom: size - 1,
    within: withinOf(cells),
    usual,
    weight: weightOf(cells, usual),
    each: total(cells.map(({ n }) => n)) / cells.length,
  }
}

const withinOf = (cells: readonly Cell[]) =>
  total(cells.map((cell) => (cell.n > 1 ? insideOf(cell) / cell.n : 0.25))) / cells.length ** 2

/** The sum over pairs of different cells. */
function weightOf(cells: readonly Cell[], usual: number): number {
  const spreads = cells.map((cell) => (cell.n > 1 ? insideOf(cell) : usual))
  return (total(spreads) ** 2 - total(spreads.map((one) => one ** 2))) / cells.length ** 2
}

/** The mean of the rates of cells, each with the same weight, with an interval whose unit is the day. */
function rateOf(cells: readonly Cell[], days: Row | null): Row {
  const n = total(cells.map((cell) => cell.n))
  const k = total(cells.map((cell) => cell.k))
  if (cells.length === 0) return { k: 0, n: 0, rate: null, ci95: null, size: 0 }
  const mean = total(cells.map((cell) => cell.k / cell.n)) / cells.length
  const isSpread =
    cells.filter((cell) => cell.n > 1).length / cells.length >= 0.8 && (days !== null || cells.length === 1)
  let variance = isSpread ? withinOf(cells) : (mean * (1 - mean)) / n
  let q = 1.959963984540054
  if (days !== null && cells.length > 1) {
    const weight = weightOf(cells, days.usual)
    const isNone = days.weight < 1e-15
    const part = isNone ? (weight < 1e-15 ? 1 : 0) : (weight / days.weight) * (days.each / (n / cells.length))
    if (Math.abs(part - 1) < 1e-9) {
      variance = days.variance
      q = quantile(days.freedom)
    } else if (part > 0) {
      const within = variance
      variance = Math.max(within + part * (days.variance - days.within), within / 10)
      q = quantile(days.freedom * Math.max(1, (variance / part / days.variance) ** 2))
    }
  }
  const isKnown = mean > 0 && mean < 1 && variance > 0
  const size = isKnown ? Math.min(((mean * (1 - mean)) / variance) * (1.959963984540054 / q) ** 2, 25 * n) : n
  return { k, n, rate: mean, ci95: wilson(mean * size, size), size }
}

/** A share of rows whose unit is the day: the variance of a ratio. */
export function shareOfDays(rows: readonly Row[], kOf: (row: Row) => number, nOf: (row: Row) => number): Row {
  const k = total(rows.map(kOf))
  const n = total(rows.map(nOf))
  if (n === 0) return { k, n, rate: null, ci95: null }
  const rate = k / n
  const partOf = (row: Row) => kOf(row) - rate * nOf(row)
  const usual = new Map(
    [...groups(rows, roundKey)].map(([name, own]) => [name, total(own.map(partOf)) / own.length]),
  )
  const days = [...groups(rows, (row) => row.day).values()]
  const size = rows.length ** 2 / total(days.map((own) => own.length ** 2))
  const squares = total(
    days.map((own) => total(own.map((row) => partOf(row) - (usual.get(roundKey(row)) ?? 0))) ** 2),
  )
  const variance = ((squares / n ** 2) * size) / (size - 1)
  const isKnown = size >= 2.5 && rate > 0 && rate < 1 && variance > 0
  const alike = ((rate * (1 - rate)) / variance) * (1.959963984540054 / quantile(size - 1)) ** 2
  const effective = isKnown ? Math.min(alike, 25 * n) : n
  return { k, n, rate, ci95: wilson(rate * effective, effective) }
}

const shown = ({ k, n, rate, ci95 }: Row): Row => ({ k, n, rate, ci95 })

/** A mention rate with its change over the cells that both periods have. */
function measureOf(
  now: readonly Cell[],
  before: readonly Cell[],
  changed: ReadonlySet<string>,
  hasChange: boolean,
): Row {
  const all = rateOf(now, daysOfCells(now))
  const [here, there] = [now, before].map((cells) => cells.filter((cell) => !changed.has(cell.series))) as [
    Cell[],
    Cell[],
  ]
  const keysOf = (cells: readonly Cell[]) => new Set(cells.map((cell) => cell.key))
  const hereKeys = keysOf(here)
  const thereKeys = keysOf(there)
  const a = rateOf(
    here.filter((cell) => thereKeys.has(cell.key)),
    daysOfCells(here),
  )
  const b = rateOf(
    there.filter((cell) => hereKeys.has(cell.key)),
    daysOfCells(there),
  )
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
    effective_n: all.rate === null ? 0 : Math.max(1, Math.round(all.size)),
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
  const sources = sourcesOf(answers)
  return {
    answers: answers.length,
    empty_because: whyNone(answers, all),
    days: daysOf(asked.before).length,
    failed: all.filter((row) => !isAnswer(row) && row.status !== 'not_judged').length,
    total: measure(() => true, changes.length > 0),
    cited: shareOfDays(
      answers,
      (row) => Number(row.brand_cited),
      () => 1,
    ),
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
    ...promptsOf(
      { trackers, prompts, isBranded, answers },
      { all, earlier, counts: (row) => isAnswer(row) && isSound(row), open, changed },
    ),
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
    rate: rateOf(cellsOf(rows.filter((row) => startOf(row.day) === from)), null).rate,
  }))
}

interface Periods {
  readonly all: readonly Row[]
  readonly earlier: readonly Row[]
  counts(row: Row): boolean
  readonly open: ReadonlySet<string>
  readonly changed: ReadonlySet<string>
}

interface Asking {
  readonly trackers: readonly Row[]
  readonly prompts: readonly Row[]
  readonly answers: readonly Row[]
  isBranded(prompt: Row): boolean
}

/** Questions that name the brand more or less often than before, by the ruler of the headline, and the weakest ones. */
function promptsOf(
  { trackers, prompts, answers, isBranded }: Asking,
  { all, earlier, counts, open, changed }: Periods,
): Row {
  const lines = trackers.slice(0, 10).flatMap(({ id }) => {
    const own = (rows: readonly Row[]) => rows.filter((row) => counts(row) && row.tracker_id === id)
    const cells = (rows: readonly Row[]) => cellsOf(own(rows).filter((row) => open.has(row.prompt_id)))
    const isComparable = (cell: Cell) => !changed.has(cell.series)
    const days = {
      now: daysOfCells(cells(all)),
      here: daysOfCells(cells(all).filter(isComparable)),
      there: daysOfCells(cells(earlier).filter(isComparable)),
    }
    return prompts
      .filter((one) => one.tracker_id === id && !isBranded(one))
      .map((prompt): Row => {
        const of = (rows: readonly Row[]) => cellsOf(own(rows).filter((row) => row.prompt_id === prompt.id))
        const now = of(all)
        const before = of(earlier)
        const here = now.filter(isComparable)
        const there = before.filter(isComparable)
        const shared = (cells: readonly Cell[], others: readonly Cell[]) =>
          cells.filter((cell) => others.some(({ key }) => key === cell.key))
        const a = rateOf(shared(here, there), days.here)
        const b = rateOf(shared(there, here), days.there)
        const isBoth = a.rate !== null && b.rate !== null
        const low = isBoth ? a.rate - b.rate - Math.hypot(a.rate - a.ci95[0], b.ci95[1] - b.rate) : 0
        const high = isBoth ? a.rate - b.rate + Math.hypot(a.ci95[1] - a.rate, b.rate - b.ci95[0]) : 0
        const instead = new Map<string, number>()
        for (const row of answers.filter((one) => one.prompt_id === prompt.id && !one.brand_mentioned))
          for (const name of new Set<string>(row.competitor_mentions.map((one: Row) => one.name)))
            instead.set(name, (instead.get(name) ?? 0) + 1)
        const lineOf = ({ n, rate }: Row): Row => ({
          text: prompt.text,
          answers: n,
          rate,
          previous_rate: isBoth && millionths(a.rate) === millionths(rate) ? b.rate : null,
          instead: [...instead]
            .sort(([one, k], [other, l]) => l - k || (one < other ? -1 : 1))
            .slice(0, 3)
            .map(([name]) => name),
        })
        return {
          id: prompt.id,
          asked: answers.filter((one) => one.prompt_id === prompt.id).length,
          whole: rateOf(now, days.now),
          difference: isBoth ? a.rate - b.rate : null,
          isChanged: isBoth && (millionths(low) > 0 || millionths(high) < 0),
          lineOf,
          a,
        }
      })
      .sort((a, b) => b.asked - a.asked || (a.id < b.id ? -1 : 1))
      .filter(({ whole }) => whole.rate !== null)
  })
  const movedBy = (line: Row) => Math.abs(line.rate - (line.previous_rate ?? 0))
  const moved = (isWon: boolean) =>
    lines
      .filter((one) => one.isChanged && one.difference > 0 === isWon)
      .map((one) => one.lineOf(one.a))
      .sort((a, b) => movedBy(b) - movedBy(a))
      .slice(0, 10)
  return {
    won: moved(true),
    lost: moved(false),
    compared: lines.filter(({ difference }) => difference !== null).length,
    more_prompts: 0,
    weakest: lines
      .filter(({ whole }) => whole.rate < 0.5)
      .map((one) => one.lineOf(one.whole))
      .sort((a, b) => a.rate - b.rate || b.answers - a.answers)
      .slice(0, 10),
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
    const has = (row: Row, name: string) => Number(placesOf([row], name).length > 0)
    const voice = (name: string) =>
      shareOfDays(
        plain,
        (row) => has(row, name),
        (row) => total(names.map((one) => has(row, one))),
      )
    const presence = (name: string) =>
      shareOfDays(
        plain,
        (row) => has(row, name),
        () => 1,
      )
    return { answers, plain, names, counts, placesOf, voice, presence }
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
          .map(([name]) => {
            const places = now.placesOf(now.answers, name).filter((one) => one !== undefined)
            return {
              name,
              is_brand: name === tracker.brand_name,
              share: now.voice(name),
              presence: now.presence(name),
              previous_share: before.voice(name),
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
