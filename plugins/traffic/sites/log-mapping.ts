import { defineCommand, field, type OwnerContext, Refusal, type Row, requireRow } from 'renown'
import {
  type LogMapping,
  type LogSampleResult,
  logMappingEntries,
  logMappingSchema,
  logSampleMax,
} from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { registryInUse } from '../registry/registry-in-use'
import { noteSite } from './note-site'

/** Returns the stored mapping of a site, or null if it has none that can be read. One row must not stop the feed. */
export function storedMapping(text: string | null | undefined): LogMapping | null {
  const parsed = v.safeParse(stored, text)
  return parsed.success ? parsed.output : null
}

const stored = v.pipe(v.string(), v.parseJson(), logMappingSchema)

/** Lines that people paste. */
export const sampleText = v.pipe(
  v.string(),
  v.maxLength(logSampleMax.characters, `at most ${logSampleMax.characters} characters`),
  v.description(`Up to ${logSampleMax.lines} lines of the log. They are not stored`),
)

const site_id = field.text('Id of the site')

/** Reads pasted lines as the ingest reads those of the site. Stores nothing. */
export async function readSample(
  ctx: OwnerContext,
  { domain, count_search_engines }: Pick<Row<typeof AiTrafficSite>, 'domain' | 'count_search_engines'>,
  text: string,
  mapping: LogMapping | null,
): Promise<LogSampleResult> {
  const agents = await registryInUse(ctx)
  return ctx.readLogSample({ text, domain, count_search_engines, mapping, agents })
}

/** Proposes a mapping for pasted lines. */
export const proposeMapping = defineCommand({
  name: 'site mapping propose',
  summary: "Propose how the JSON lines of a website's own log are read, and show what each line becomes",
  input: v.strictObject({ site_id, lines: sampleText }),
  positional: ['site_id'],
  async run(ctx, { site_id, lines }) {
    const site = await requireRow(ctx.rows(AiTrafficSite), 'site', site_id)
    const { text: _, ...read } = await readSample(ctx, site, lines, null)
    return read
  },
})

/** Saves the mapping of a site. The ingest uses it within a second. */
export const saveMapping = defineCommand({
  name: 'site mapping save',
  summary: "Save in which fields the JSON lines of a website's own log have the facts of a request",
  input: v.strictObject({ site_id, ...logMappingEntries }),
  positional: ['site_id'],
  async run(ctx, { site_id, ...mapping }) {
    await storeMapping(ctx, site_id, mapping)
    return { site_id, log_mapping: mapping }
  },
})

/** Removes the mapping of a site. Known formats are read as before. */
export const removeMapping = defineCommand({
  name: 'site mapping remove',
  summary: 'Remove the log mapping of a website',
  input: v.strictObject({ site_id }),
  positional: ['site_id'],
  async run(ctx, { site_id }) {
    await storeMapping(ctx, site_id, null)
    return { site_id, log_mapping: null }
  },
})

/** Stores or removes the mapping of a site, and tells the ingest. */
export async function storeMapping(
  ctx: OwnerContext,
  siteId: string,
  mapping: LogMapping | null,
): Promise<void> {
  const log_mapping = mapping && JSON.stringify(mapping)
  const site = await ctx.rows(AiTrafficSite).update(siteId, { log_mapping })
  if (!site) throw new Refusal('not_found', `There is no site ${siteId}.`)
  ctx.changed('sites')
  await noteSite(ctx, site, mapping ? 'mapping' : 'unmapping')
}
