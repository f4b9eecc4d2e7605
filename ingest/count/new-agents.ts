import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  dayMs,
  type Log,
  type NewAgentsReport,
  newAgentDaysMax,
  newAgentHitsMin,
  newAgentSitesMax,
} from 'renown/contracts'
import * as v from 'valibot'
import type { AgentIndex } from '../judge/agent-index'
import { countersPerSite, createSketch, type Seen, type Sketch } from './sketch'

/** Counts user agents that look like agents and that nobody knows, at each site. */
export interface NewAgents {
  see(siteId: string, seen: readonly Seen[]): void
  /** Forgets names that a newer registry knows. */
  forgetKnown(index: Pick<AgentIndex, 'classify' | 'isOtherRobot'>): void
  /** Saves, and returns the sites that changed after `after`, oldest change first. */
  report(after: number): Promise<NewAgentsReport>
  /** Saves for the last time. */
  stop(): Promise<void>
}

/** Sites with unknown agents that are counted at a time. The one that was quiet for longest makes room. */
const sitesMax = 2_000
/** After a crash, this much of the counts is missing. */
const saveEveryMs = 60_000
const fileName = 'new-agents.json'
/** More changes than a run can make between two saves. */
const unsavedMax = 10_000_000

interface SiteCounts {
  readonly sketch: Sketch
  /** Names that are known now. */
  readonly gone: Set<string>
  /** The number of the last change. */
  change: number
}

const day = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const entrySchema = v.object({
  token: v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9 ._-]{2,39}$/)),
  host: v.nullable(v.pipe(v.string(), v.maxLength(80))),
  count,
  error: count,
  first: day,
  last: day,
})
const fileSchema = v.object({
  instance: v.pipe(v.string(), v.regex(/^[a-z0-9]{16}$/)),
  changes: count,
  sites: v.pipe(
    v.array(
      v.object({ site_id: v.string(), entries: v.pipe(v.array(entrySchema), v.maxLength(countersPerSite)) }),
    ),
    v.maxLength(sitesMax),
  ),
})

export interface NewAgentsDeps {
  readonly directory: string
  readonly now: () => Date
  readonly log: Log
  readonly everyMs?: number
}

/** Restores the counts of the last run. */
export function createNewAgents({ directory, now, log, everyMs = saveEveryMs }: NewAgentsDeps): NewAgents {
  const path = join(directory, fileName)
  const stored = restore(path)
  const instance = stored?.instance ?? crypto.randomUUID().replaceAll('-', '').slice(0, 16)
  // Numbers of changes rise over restarts too, so that a report never leaves out what an earlier run had reported.
  let changes = Math.max(now().getTime(), (stored?.changes ?? 0) + unsavedMax)
  const fresh = (entries?: Parameters<typeof createSketch>[0]): SiteCounts => ({
    sketch: createSketch(entries),
    gone: new Set(),
    change: ++changes,
  })
  const sites = new Map((stored?.sites ?? []).map(({ site_id, entries }) => [site_id, fresh(entries)]))
  let saved = changes
  let saving: Promise<void> = Promise.resolve()

  function siteOf(siteId: string): SiteCounts {
    const site = sites.get(siteId) ?? fresh()
    // Puts it last. The first has been quiet for longest.
    sites.delete(siteId)
    sites.set(siteId, site)
    const [quiet] = sites.keys()
    if (sites.size > sitesMax && quiet !== undefined) sites.delete(quiet)
    return site
  }

  async function write(): Promise<void> {
    if (saved === changes) return
    const at = changes
    const since = new Date(now().getTime() - newAgentDaysMax * dayMs).toISOString().slice(0, 10)
    const kept = [...sites].map(([site_id, { sketch }]) => ({ site_id, entries: keptEntries(sketch, since) }))
    try {
      await writeFile(`${path}.new`, JSON.stringify({ instance, changes: at, sites: kept }), { mode: 0o600 })
      await rename(`${path}.new`, path)
      saved = at
    } catch (error) {
      log.warn('The counts of new agents cannot be saved', { code: (error as NodeJS.ErrnoException).code })
    }
  }
  const save = () => {
    saving = saving.then(write)
    return saving
  }
  const timer = setInterval(() => void save(), everyMs)
  timer.unref()
  return {
    see(siteId, seen) {
      const site = siteOf(siteId)
      for (const each of seen) site.sketch.add(each)
      site.change = ++changes
    },
    forgetKnown({ classify, isOtherRobot }) {
      for (const site of sites.values()) {
        for (const { token } of site.sketch.entries()) {
          if (!classify(token) && !isOtherRobot(token)) continue
          site.sketch.remove(token)
          if (site.gone.size < countersPerSite) site.gone.add(token)
          site.change = ++changes
        }
      }
    },
    async report(after) {
      await save()
      // A gateway that knows a higher number saw another run, and gets everything.
      const since = after > changes ? 0 : after
      const changed = [...sites]
        .filter(([, { change }]) => change > since)
        .toSorted(([, a], [, b]) => a.change - b.change)
        .slice(0, newAgentSitesMax)
      const next = changed.at(-1)?.[1].change ?? since
      return { instance, next, sites: changed.map(([site_id, counts]) => reportOf(site_id, counts)) }
    },
    stop() {
      clearInterval(timer)
      return save()
    },
  }
}

/** Drops names that did not come for long, and returns the others. */
function keptEntries(sketch: Sketch, since: string) {
  for (const { token, last } of sketch.entries()) if (last < since) sketch.remove(token)
  return sketch.entries()
}

const reportOf = (site_id: string, { sketch, gone }: SiteCounts): NewAgentsReport['sites'][number] => ({
  site_id,
  floor: sketch.floor(),
  gone: [...gone],
  agents: sketch
    .entries()
    .filter(({ count, error }) => count - error >= newAgentHitsMin)
    .map(({ token, host, count, error, first, last }) => ({
      token,
      host,
      hits_at_least: count - error,
      hits_at_most: count,
      first_day: first,
      last_day: last,
    })),
})

function restore(path: string): v.InferOutput<typeof fileSchema> | null {
  try {
    const read = v.safeParse(fileSchema, JSON.parse(readFileSync(path, 'utf8')))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
