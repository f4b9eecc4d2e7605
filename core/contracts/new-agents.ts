import * as v from 'valibot'

/**
 * A name is reported when it has this many hits at a site. One person's own program or a scan that tries a name once does
 * not reach it. A crawler that reads a site does within minutes.
 */
export const newAgentHitsMin = 10
/** Days after which a name that did not come again is forgotten. */
export const newAgentDaysMax = 60

/** Sites in one report. */
export const newAgentSitesMax = 100

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/))
/** A product token of an unknown agent. It has no address, no URL and no long number. */
const token = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9 ._-]{2,39}$/))
const site = v.strictObject({
  site_id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)),
  /** No other name of the site has more hits than this, as this process counted them. */
  floor: count,
  /** Names that are known now. */
  gone: v.pipe(v.array(token), v.maxLength(24)),
  agents: v.pipe(
    v.array(
      v.strictObject({
        token,
        host: v.nullable(v.pipe(v.string(), v.regex(/^[a-z0-9.-]{4,80}$/))),
        hits_at_least: count,
        hits_at_most: count,
        first_day: day,
        last_day: day,
      }),
    ),
    v.maxLength(24),
  ),
})

/** What an ingest process reports of unknown agents: the sites that changed, with all their names. */
export const newAgentsReportSchema = v.strictObject({
  /** The folder that counted. It stays the same after a restart. */
  instance: v.pipe(v.string(), v.regex(/^[a-z0-9]{16}$/)),
  /** The number of the last change in this report. The next report begins after it. */
  next: count,
  sites: v.pipe(v.array(site), v.maxLength(newAgentSitesMax)),
})
/** A report of unknown agents. */
export type NewAgentsReport = v.InferOutput<typeof newAgentsReportSchema>
