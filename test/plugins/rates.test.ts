import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { jsonSchemaOf } from '../../core/kit/json-schema'
import { shippedRegistry } from '../support/shipped'

type Schema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
}

/** Figures without an interval: what must stand beside each of them, and why that is enough. */
const reasons: Readonly<Record<string, { readonly beside: readonly string[]; readonly why: string }>> = {
  'getVisibilitySummary.by_engine.previous_mention_rate': {
    ...{ beside: ['previous'], why: 'An earlier name of previous.mention_rate, which is whole' },
  },
  'getVisibilitySummary.by_tracker.previous_mention_rate': {
    ...{ beside: ['previous'], why: 'An earlier name of previous.mention_rate, which is whole' },
  },
  'getShareOfVoice.voices.previous_share': {
    ...{ beside: ['previous_share_of_voice'], why: 'An earlier name of previous_share_of_voice.rate' },
  },
  ...Object.fromEntries(
    ['crawler_hits', 'verified_hits', 'referral_visits'].map((name) => [
      `getAiTrafficSummary.change.${name}.relative`,
      { beside: ['now', 'before'], why: 'Growth between two counts is no share of trials and may exceed 1' },
    ]),
  ),
  'BusinessLocation.enrichment.confidence': {
    ...{ beside: [], why: 'A judgement of how sure a profile is, counted from no trials' },
  },
}

const named = /(^|_)(rates?|shares?|ratio|percent|percentage|pct|proportion|growth|relative)($|_)/
const forms = (schema: Schema): readonly Schema[] => [
  schema,
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
]
const has = (schema: Schema, type: string) => forms(schema).some((form) => [form.type].flat().includes(type))
const isShare = (schema: Schema) =>
  forms(schema).some(({ minimum, maximum }) => minimum === 0 && maximum === 1)

/** What a figure called a rate lacks: its counts, its interval, or null for no trials. */
function lacks(name: string, schema: Schema, beside: Readonly<Record<string, Schema>>): string[] {
  const faults = has(schema, 'null') ? [] : ['it cannot be null, which it is without trials']
  if (name === 'rate')
    return [...faults, ...['k', 'n', 'ci95'].filter((one) => !(one in beside)).map((one) => `no ${one}`)]
  const counts = forms(schema).flatMap(
    ({ description = '' }) => /^(\w+) \/ (\w+)/.exec(description)?.slice(1) ?? [],
  )
  if (counts.length === 0)
    faults.push('its description does not begin with the two fields it divides, such as `mentions / runs`')
  faults.push(...counts.filter((one) => !(one in beside)).map((one) => `no ${one}`))
  return `${name}_ci` in beside ? faults : [...faults, `no ${name}_ci`]
}

const met = new Set<string>()
function faultsOf(
  at: string,
  name: string,
  schema: Schema,
  beside: Readonly<Record<string, Schema>>,
): string[] {
  const reason = reasons[at]
  if (!reason) return lacks(name, schema, beside)
  met.add(at)
  return reason.beside.filter((one) => !(one in beside)).map((one) => `no ${one}`)
}

function* bareRates(schema: Schema, path: string): Generator<string> {
  const { properties = {} } = schema
  for (const [name, one] of Object.entries(properties)) {
    const at = `${path}.${name}`
    const isRate = has(one, 'number') && (named.test(name) || isShare(one))
    if (isRate) for (const fault of faultsOf(at, name, one, properties)) yield `${at}: ${fault}`
    yield* bareRates(one, at)
  }
  for (const form of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* bareRates(form, path)
  if (schema.items) yield* bareRates(schema.items, path)
  if (typeof schema.additionalProperties === 'object') yield* bareRates(schema.additionalProperties, path)
}

const registry = shippedRegistry()
const surfaces = [
  ...[...registry.operations.values()].map(({ name, output }) => [name, output] as const),
  ...[...registry.entities.values()].map(({ name, fields }) => [name, v.object(fields)] as const),
]

test('every rate of an operation or a record type has its counts and its interval, and null without trials', () => {
  const bare = surfaces.flatMap(([name, schema]) => [...bareRates(jsonSchemaOf(schema) as Schema, name)])
  expect(bare).toEqual([])
})

test('the list of figures without an interval holds no name that is gone', () => {
  for (const [name, schema] of surfaces) for (const _ of bareRates(jsonSchemaOf(schema) as Schema, name));
  expect([...met].sort()).toEqual(Object.keys(reasons).sort())
})

test('a bare rate is found at any depth, by its name or by its bounds', () => {
  const found = (fields: Record<string, v.GenericSchema>) => [
    ...bareRates(jsonSchemaOf(v.object({ list: v.array(v.nullable(v.object(fields))) })) as Schema, 'x'),
  ]
  const bound = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
  expect(found({ reply_share: v.nullable(v.number()) })).toHaveLength(2)
  expect(found({ success: bound })).toHaveLength(3)
  expect(found({ share_view_count: v.pipe(v.number(), v.integer()) })).toEqual([])
  expect(
    found({ open_rate: v.pipe(v.nullable(bound), v.description('opens / sent')), open_rate_ci: bound }),
  ).toContain('x.list.open_rate: no opens')
})
