import { isRefusal, todayOf } from 'renown'
import type { PageContext } from 'renown/pages'
import { evaluate, type RuledValue } from '../rulers/evaluate'
import { type VisibilityRuler, visibilityRuler } from '../rulers/ruler'
import { emptiness } from '../sums/emptiness'
import { comparisonOf } from '../sums/explain-difference'
import { readStoredAnswers } from '../sums/stored-answers'
import { countriesOf, enginesOf, trackedBy } from '../sums/tracked'
import { fitsFilters, scopeOf } from './shown-scope'
import type { VisibilityData } from './visibility-data'
import { periodsOf, readFilters } from './visibility-filters'

/** The definition of the headline of the page. */
const ownDefinition = 'visibility.mention_rate@2'
/** The definition that is explained first. */
const usualOther = 'visibility.mention_rate@1'

/** A definition with its value on the answers of the period. */
export interface DefinitionLine
  extends Pick<VisibilityRuler, 'definition' | 'label' | 'publisher' | 'says' | 'source' | 'assumptions'> {
  readonly value: Pick<RuledValue, 'k' | 'n' | 'value' | 'ci95'>
  /** An average place, not a share. */
  readonly isPosition: boolean
}

export interface DefinitionsData
  extends Pick<
    VisibilityData,
    'filters' | 'ignored' | 'period' | 'tracker' | 'empty_because' | 'api_url' | 'trackers'
  > {
  /** The period has more answers than can be compared at once. */
  readonly isTooLong: boolean
  readonly lines: readonly DefinitionLine[]
  /** The definition that is compared with that of the page, and the steps between them. */
  readonly other: string
  readonly comparison: Awaited<ReturnType<typeof comparisonOf>> | null
}

/** Loads all definitions, applied to the same answers. */
export async function loadDefinitions(ctx: PageContext, query: URLSearchParams): Promise<DefinitionsData> {
  const today = todayOf(ctx)
  const { trackers: all, sealed } = await trackedBy(ctx, {})
  const rulers = ctx.extensions(visibilityRuler).toSorted((a, b) => rankOf(a) - rankOf(b))
  const shares = rulers.filter(({ rule }) => rule.counts !== 'places')
  const { others, other, ignored: ignoredOther } = readOther(query, shares)
  const choices = { trackers: all, engines: enginesOf(all), countries: await countriesOf(ctx, all), today }
  const { filters, ignored } = readFilters(others, choices)
  const trackers = all.filter((one) => fitsFilters(filters, one))
  const { period, previous } = periodsOf(filters, today)
  const scope = scopeOf(filters, trackers)
  const stored = await readOrNull(() =>
    readStoredAnswers(ctx, { scope, trackers, sealed }, { period, previous }, true),
  )
  const answers = stored?.answers.filter(({ is_answered }) => is_answered).length ?? 0
  const [own, compared] = [ownDefinition, other].map((id) => shares.find((one) => one.definition === id))
  const [tracker] = trackers.length === 1 ? trackers : []
  return {
    filters,
    period,
    other,
    api_url: ctx.apiUrl,
    ignored: [...ignored, ...ignoredOther],
    trackers: all.map(({ id, name, brand_name, location_id, is_active }) => ({
      id,
      name,
      brand_name,
      location_id,
      is_active,
    })),
    tracker: tracker ?? null,
    isTooLong: stored === null,
    empty_because:
      stored === null
        ? null
        : (await emptiness(ctx, { scope, trackers, sealed }, period, answers)).empty_because,
    lines: stored === null || answers === 0 ? [] : rulers.map((ruler) => lineOf(ruler, stored.answers)),
    comparison:
      stored === null || answers === 0 || !own || !compared
        ? null
        : await comparisonOf(ctx, own, compared, stored),
  }
}

/** Renown's own definitions come first, and that of the page before them. */
const rankOf = ({ definition, source }: VisibilityRuler): number =>
  definition === ownDefinition ? 0 : source === null ? 1 : 2

function lineOf(ruler: VisibilityRuler, answers: Parameters<typeof evaluate>[1]): DefinitionLine {
  const { definition, label, publisher, says, source, assumptions, rule } = ruler
  const { k, n, value, ci95 } = evaluate(rule, answers)
  return {
    definition,
    label,
    publisher,
    says,
    source,
    assumptions,
    isPosition: rule.counts === 'places',
    value: { k, n, value, ci95 },
  }
}

/** Reads the definition to compare with from the address, and leaves the rest. */
function readOther(query: URLSearchParams, rulers: readonly VisibilityRuler[]) {
  const others = new URLSearchParams(query)
  const value = others.get('with') ?? ''
  others.delete('with')
  const definitions = rulers.map(({ definition }) => definition).filter((id) => id !== ownDefinition)
  if (value === '' || definitions.includes(value)) return { others, other: value || usualOther, ignored: [] }
  const accepted = `Use ${definitions.join(', ')}.`
  return { others, other: usualOther, ignored: [{ name: 'with', value: value.slice(0, 60), accepted }] }
}

/** Null where the period has too many answers. */
async function readOrNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isRefusal(error) && error.code === 'invalid_field') return null
    throw error
  }
}
