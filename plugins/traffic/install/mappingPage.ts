import { Refusal, type Row } from 'renown'
import { type ActionContext, defineAction, definePage, shownDomain } from 'renown/pages'
import { type LogMapping, type LogSampleResult, logMappingSchema, mappedFacts } from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { readSample, storedMapping, storeMapping } from '../sites/log-mapping'
import { mappingStyle } from './mapping-style'

export interface MappingData {
  readonly id: string
  readonly name: string
  readonly mapping: LogMapping | null
  readonly may_change: boolean
}

/** The most characters that people can paste into the page. A form may have 64 KiB, with escapes. */
export const pastedMax = 20_000

const id = v.pipe(v.string(), v.maxLength(100))
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
  map_time: choice,
  map_time_format: choice,
  map_address: choice,
  map_method: choice,
  map_path: choice,
  map_host: choice,
  map_status: choice,
  map_user_agent: choice,
  map_referrer: choice,
  map_id: choice,
}
type Choices = { readonly [name in keyof typeof choices]: string }

/** Proposes a mapping for pasted lines. */
const propose = defineAction({
  input: v.strictObject({ id, lines }),
  auth: 'session',
  only: 'owner',
  async run(ctx, { id, lines }) {
    const sample = await readSample(ctx.owner, await ownSite(ctx, id), lines, null)
    return { shown: { ...sample, chosen: sample.mapping ?? {}, isIncomplete: false } satisfies ShownSample }
  },
})

/** Shows what the lines become with the chosen fields. */
const test = defineAction({
  input: v.strictObject({ id, lines, ...choices }),
  auth: 'session',
  only: 'owner',
  async run(ctx, { id, lines, ...chosen }) {
    const fields = fieldsOf(chosen)
    const mapping = v.safeParse(logMappingSchema, fields)
    const sample = await readSample(
      ctx.owner,
      await ownSite(ctx, id),
      lines,
      mapping.success ? mapping.output : null,
    )
    return { shown: { ...sample, chosen: fields, isIncomplete: !mapping.success } satisfies ShownSample }
  },
})

/** Saves the mapping that was tested. */
const save = defineAction({
  input: v.strictObject({ id, ...choices }),
  auth: 'session',
  only: 'owner',
  refusesDemo: true,
  done: 'The mapping was saved. The ingest uses it within a second.',
  async run(ctx, { id, ...chosen }) {
    const mapping = mappingOf(chosen)
    const site = await ownSite(ctx, id)
    await storeMapping(ctx.owner, site.id, mapping)
  },
})

const remove = defineAction({
  input: v.strictObject({ id }),
  auth: 'session',
  only: 'owner',
  refusesDemo: true,
  done: 'The mapping was removed.',
  async run(ctx, input) {
    const site = await ownSite(ctx, input.id)
    await storeMapping(ctx.owner, site.id, null)
  },
})

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
  actions: { propose, test, save, remove },
  style: mappingStyle,
})

/** Returns the chosen fields. An empty choice means that the log does not have the fact. */
function fieldsOf(chosen: Choices): Partial<LogMapping> {
  const named = [...mappedFacts, 'time_format' as const].flatMap((name) => {
    const value = chosen[`map_${name}`]
    return value === '' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(named)
}

function mappingOf(chosen: Choices): LogMapping {
  const parsed = v.safeParse(logMappingSchema, fieldsOf(chosen))
  if (parsed.success) return parsed.output
  throw new Refusal('invalid_field', 'Choose at least the field of the path and that of the user agent.', {
    errors: parsed.issues.map((issue) => ({
      pointer: `/map_${v.getDotPath(issue) ?? ''}`,
      code: 'invalid_field',
      message: issue.received === 'undefined' ? 'Choose a field.' : issue.message,
    })),
  })
}

async function ownSite(ctx: ActionContext, siteId: string): Promise<Row<typeof AiTrafficSite>> {
  const found = await ctx.rows(AiTrafficSite).get(siteId)
  if (found) return found
  throw new Refusal('not_found', 'This site is not in the workspace.')
}
