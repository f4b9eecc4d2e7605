import { defineAct, defineCommand, field, type OwnerContext, requireRow } from 'renown'
import {
  type LogMapping,
  type LogSampleResult,
  logMappingEntries,
  logMappingSchema,
  logSampleMax,
} from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { type RegistryReads, registryInUse } from '../registry/registry-in-use'
import { onSite, onSitePage, type SiteRow, siteAudit } from './on-site'
import { updateSite } from './site-acts'

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

/** What reads pasted lines: commands and forms have it. */
export interface SampleReads {
  readonly system: RegistryReads
  readonly running: Pick<OwnerContext, 'product'>
  readonly readLogSample: OwnerContext['readLogSample']
}

/** Reads pasted lines as the ingest reads those of the site. Stores nothing. */
export async function readSample(
  { system, running, readLogSample }: SampleReads,
  { domain, count_search_engines }: Pick<SiteRow, 'domain' | 'count_search_engines'>,
  text: string,
  mapping: LogMapping | null,
): Promise<LogSampleResult> {
  const agents = await registryInUse(system, running)
  return readLogSample({ text, domain, count_search_engines, mapping, agents })
}

/** Proposes a mapping for pasted lines. */
export const proposeMapping = defineCommand({
  name: 'site mapping propose',
  summary: "Propose how the JSON lines of a website's own log are read, and show what each line becomes",
  input: v.strictObject({ site_id: field.text('Id of the site'), lines: sampleText }),
  positional: ['site_id'],
  async run(ctx, { site_id, lines }) {
    const site = await requireRow(ctx.rows(AiTrafficSite), 'site', site_id)
    const reads = { system: ctx, running: ctx, readLogSample: ctx.readLogSample }
    const { text: _, ...read } = await readSample(reads, site, lines, null)
    return read
  },
})

/** A mapping has a field `id`, so forms send the id of the site as `site_id`. */
const aboutMapping = { ...onSitePage, on: { ...onSite, inForms: 'site_id' } } as const

const chosenField = (path: v.GenericSchema<string, string>) =>
  v.pipe(v.optional(v.string(), ''), v.minLength(1, 'Choose a field.'), path)

/** Saves the mapping of a site. The ingest uses it within a second. */
export const saveMapping = defineAct({
  ...aboutMapping,
  name: 'site mapping save',
  summary: "Save in which fields the JSON lines of a website's own log have the facts of a request",
  fields: logMappingEntries,
  forms: {
    path: chosenField(logMappingEntries.path),
    user_agent: chosenField(logMappingEntries.user_agent),
  },
  label: 'Save mapping',
  done: 'The mapping was saved. The ingest uses it within a second.',
  undo: 'site mapping remove',
  audit: siteAudit('mapping'),
  async run(ctx, { row: { id }, input: log_mapping }) {
    await updateSite(ctx, id, { log_mapping: JSON.stringify(log_mapping) })
    return { answer: { site_id: id, log_mapping } }
  },
})

/** Removes the mapping of a site. Known formats are read as before. */
export const removeMapping = defineAct({
  ...aboutMapping,
  name: 'site mapping remove',
  summary: 'Remove the log mapping of a website',
  label: 'Remove mapping',
  done: 'The mapping was removed.',
  undo: 'site mapping save',
  audit: siteAudit('unmapping'),
  async run(ctx, { row: { id } }) {
    await updateSite(ctx, id, { log_mapping: null })
    return { answer: { site_id: id, log_mapping: null } }
  },
})
