import { isUnavailable, type OwnerContext, ServiceFault } from 'renown'
import * as v from 'valibot'
import { brandingOf } from '../branding/branding'
import { Agency, BusinessLocation, type ReportedLocationRow, Workspace } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import {
  type ReportedLocation,
  type ReportScope,
  type ReportSection,
  reportSection,
  type SectionContext,
  type SectionData,
} from '../templates/section'
import { templateNamed, templatesOf } from '../templates/templates'
import { reportJson } from './canonical'
import { askInsights } from './insights'
import { createOnce } from './once'
import type { ReportData } from './report-data'
import { namedPeriod } from './report-period'

/** Maximum size of the data of a report, in characters of canonical JSON. */
const dataMax = 1_000_000

/**
 * Collects the data of a report: what the sections of its template read, and the frame around it. Returns a text if
 * the report cannot be made any more.
 */
export async function collectData(
  ctx: OwnerContext,
  report: ReportRow,
  signal: AbortSignal,
): Promise<ReportData | string> {
  const location = await ctx.rows(BusinessLocation).get(report.business_location_id ?? '')
  if (!location || location.workspace_id !== report.workspace_id) return 'The location was removed.'
  const [workspace, reads] = await Promise.all([
    ctx.rows(Workspace).get(report.workspace_id),
    ctx.workspaceReads(report.workspace_id),
  ])
  if (!workspace || !reads) return 'The workspace was removed.'
  const agency = await ctx.rows(Agency).get(workspace.agency_id)
  const branding = await brandingOf(ctx, workspace.agency_id)
  const { period, previous, label } = namedPeriod(report.period_start, report.period_end)
  const scope: ReportScope = {
    location: shownLocation(location),
    period,
    previous,
    timezone: workspace.timezone,
  }
  const sections = sectionsOf(ctx, report.template)
  const reading = { reads, signal, now: ctx.now, once: createOnce() }
  const { parts, leftOut } = await readSections(sections, reading, scope, isPatient(ctx, report))
  const data: ReportData = {
    workspace: { id: workspace.id, name: workspace.name, timezone: workspace.timezone },
    agency: {
      id: workspace.agency_id,
      name: agency?.name ?? workspace.name,
      ...(branding ? { branding } : {}),
    },
    period: { ...period, label },
    previousPeriod: previous,
    business_location: scope.location,
    reputationScore: scoreOf(sections, parts),
    ...Object.fromEntries(parts),
    insights: await askInsights(ctx, { sections, parts, report, signal }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    collected_at: ctx.now().toISOString(),
  }
  if (reportJson(data).length > dataMax) return `The data of the report is larger than ${dataMax} characters.`
  return data
}

/** Returns the sections of a template, in their order. Those of plugins that are not loaded are left out. */
export function sectionsOf(
  ctx: Pick<OwnerContext, 'extensions'>,
  template: string,
): readonly ReportSection[] {
  const all = new Map(ctx.extensions(reportSection).map((section) => [section.name, section]))
  const found = templatesOf(ctx).find((one) => one.template === template) ?? templateNamed(ctx, template)
  return found.sections.flatMap((name) => all.get(name) ?? [])
}

/** For how long a report waits for a store that does not answer, before it is made without that part. */
const waitsMs = 10 * 60_000

const isPatient = ({ now }: Pick<OwnerContext, 'now'>, { created_date }: ReportRow): boolean =>
  now().getTime() - Date.parse(created_date) < waitsMs

/**
 * Reads the sections one after another. A section whose store does not answer is left out, and named, unless the report can still wait:
 * then it throws, and the report is tried again.
 */
async function readSections(
  sections: readonly ReportSection[],
  ctx: SectionContext,
  scope: ReportScope,
  waits: boolean,
): Promise<{ readonly parts: ReadonlyMap<string, SectionData>; readonly leftOut: readonly string[] }> {
  const parts = new Map<string, SectionData>()
  const leftOut: string[] = []
  for (const section of sections) {
    ctx.signal.throwIfAborted()
    const found = await section.collect(ctx, scope).catch((error: unknown) => {
      if (waits || !isUnavailable(error)) throw error
      leftOut.push(section.name)
      return null
    })
    if (found === null) continue
    const checked = v.safeParse(section.data, found)
    if (!checked.success) {
      const [issue] = checked.issues
      const at = v.getDotPath(issue) ?? 'its data'
      throw new ServiceFault(
        'permanent',
        `The section ${section.name} returned a wrong ${at}: ${issue.message}`,
      )
    }
    parts.set(section.name, checked.output)
  }
  return { parts, leftOut }
}

/** Returns the weighted mean of the known parts. Null if none is known. */
export function scoreOf(
  sections: readonly ReportSection[],
  parts: ReadonlyMap<string, SectionData>,
): number | null {
  const known = sections.flatMap((section) => {
    const data = parts.get(section.name)
    const part = data === undefined ? null : (section.score?.(data) ?? null)
    return part === null || part.weight <= 0 ? [] : [part]
  })
  const weight = known.reduce((sum, part) => sum + part.weight, 0)
  if (weight === 0) return null
  return Math.round(known.reduce((sum, part) => sum + part.value * part.weight, 0) / weight)
}

const shownLocation = ({
  id,
  business_name,
  city,
  country,
  website,
}: ReportedLocationRow): ReportedLocation => ({
  id,
  name: business_name,
  ...(city === undefined ? {} : { city }),
  ...(country === undefined ? {} : { country }),
  ...(website === undefined ? {} : { website }),
})
