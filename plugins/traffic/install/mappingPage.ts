import { Refusal, type Row } from 'renown'
import {
  actsOnPage,
  definePage,
  defineReading,
  type PageContext,
  type ReadingContext,
  shownDomain,
} from 'renown/pages'
import { type LogMapping, type LogSampleResult, logMappingSchema, mappedFacts } from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { readSample, removeMapping, type SampleReads, saveMapping, storedMapping } from '../sites/log-mapping'
import { mappingStyle } from './mapping-style'

export interface MappingData {
  readonly id: string
  readonly name: string
  readonly mapping: LogMapping | null
  readonly may_change: boolean
}

/** The most characters that people can paste into the page. A form may have 64 KiB, with escapes. */
export const pastedMax = 20_000

const site_id = v.pipe(v.string(), v.maxLength(100))
const lines = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== '', 'Paste one to ten lines of your log.'),
  v.maxLength(pastedMax, `Paste at most ${pastedMax} characters.`),
)

/** How pasted lines are read, and the fields that were chosen for it. */
export interface ShownSample extends LogSampleResult {
  readonly chosen: Partial<LogMapping>
  /** Whether a mapping needs more fields than those chosen. */
  readonly isIncomplete: boolean
}

const choice = v.optional(v.pipe(v.string(), v.maxLength(200)), '')
const choices = {
  time: choice,
  time_format: choice,
  address: choice,
  method: choice,
  path: choice,
  host: choice,
  status: choice,
  user_agent: choice,
  referrer: choice,
  id: choice,
}
type Choices = { readonly [name in keyof typeof choices]: string }

const owners = { auth: 'session', only: 'owner' } as const

/** Proposes a mapping for pasted lines. */
const propose = defineReading({
  ...owners,
  input: v.strictObject({ site_id, lines }),
  async run(ctx, given) {
    const sample = await readSample(readsOf(ctx), await ownSite(ctx, given.site_id), given.lines, null)
    return { shown: { ...sample, chosen: sample.mapping ?? {}, isIncomplete: false } satisfies ShownSample }
  },
})

/** Shows what the lines become with the chosen fields. */
const test = defineReading({
  ...owners,
  input: v.strictObject({ site_id, lines, ...choices }),
  async run(ctx, { site_id: id, lines: pasted, ...chosen }) {
    const fields = fieldsOf(chosen)
    const mapping = v.safeParse(logMappingSchema, fields)
    const read = mapping.success ? mapping.output : null
    const sample = await readSample(readsOf(ctx), await ownSite(ctx, id), pasted, read)
    return { shown: { ...sample, chosen: fields, isIncomplete: !mapping.success } satisfies ShownSample }
  },
})

const readsOf = ({ system, product, outside: { readLogSample } }: ReadingContext): SampleReads => ({
  system,
  running: { product },
  readLogSample,
})

const { actions, notices } = actsOnPage({ save: saveMapping, remove: removeMapping })

/** The fields of a site's own JSON log: propose them from pasted lines, test them, save them. */
export const mappingPage = definePage<typeof AiTrafficSite, MappingData>({
  path: '/app/sites/mapping',
  title: 'JSON of your own',
  module: new URL('./mapping.tsx', import.meta.url),
  isStatic: true,
  record: { entity: AiTrafficSite, param: 'site' },
  async load(_ctx, _query, { row, mayChange }) {
    return {
      id: row.id,
      name: shownDomain(row.domain),
      mapping: storedMapping(row.log_mapping),
      may_change: mayChange,
    }
  },
  actions: { propose, test, ...actions },
  notices,
  style: mappingStyle,
})

/** Returns the chosen fields. An empty choice means that the log does not have the fact. */
function fieldsOf(chosen: Choices): Partial<LogMapping> {
  const named = [...mappedFacts, 'time_format' as const].flatMap((name) => {
    const value = chosen[name]
    return value === '' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(named)
}

async function ownSite(ctx: PageContext, siteId: string): Promise<Row<typeof AiTrafficSite>> {
  const found = await ctx.rows(AiTrafficSite).get(siteId)
  if (found) return found
  throw new Refusal('not_found', 'There is no such site in this workspace.')
}
