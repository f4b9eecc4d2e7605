import { ServiceFault, where } from 'renown'
import { frozenCount, frozenRate, type SectionContext } from 'renown/reports'
import * as v from 'valibot'
import { ProspectAudit } from '../records/ProspectAudit'

const unknownFact = v.object({ what: v.string(), reason: v.string() })
const known = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema), null)
/** A rate that was measured. One of an older version is not shown. */
const rate = known(frozenRate)

const part = {
  score: known(v.number()),
  method: v.optional(v.string(), ''),
  looked_at: v.optional(v.string(), ''),
  unknown: v.optional(v.array(unknownFact), []),
}

/** The parts of an audit that a pitch report shows. What was not measured is null. */
export const pitchData = v.object({
  audit_id: v.string(),
  completed_at: v.string(),
  score: v.nullable(v.number()),
  reviews: known(v.object({ ...part, rating: known(v.number()), total: known(frozenCount), answered: rate })),
  profile: known(v.object({ ...part, missing: known(v.array(v.string())) })),
  visibility: known(
    v.object({
      ...part,
      named: rate,
      by_engine: known(v.array(v.object({ engine: v.string(), answers: frozenCount, named: frozenCount }))),
    }),
  ),
  traffic: known(
    v.object({
      ...part,
      url: known(v.string()),
      llms_txt: known(v.boolean()),
      https: known(v.object({ works: v.boolean() })),
      ai_agents: known(
        v.array(
          v.object({ agent: v.string(), operator: v.string(), purpose: v.string(), allowed: v.boolean() }),
        ),
      ),
      structured_data: known(v.object({ types: v.array(v.string()) })),
    }),
  ),
  mentions: known(v.object({ ...part, posts: known(frozenCount), negative: rate })),
})

/** The frozen data of a pitch report. */
export type PitchData = v.InferOutput<typeof pitchData>

/** Reads the completed audit of a prospect. Throws if there is none, because the report would have nothing to show. */
export async function readPitch(
  { reads }: Pick<SectionContext, 'reads'>,
  location_id: string,
): Promise<PitchData> {
  const own = where.and(where.eq('location_id', location_id), where.eq('status', 'completed'))
  const [audit] = await reads.rows(ProspectAudit).list({ where: own, limit: 1 })
  if (!audit) throw new ServiceFault('permanent', 'The prospect has no completed audit.')
  const { id: audit_id, completed_at = '', score = null, findings = {} } = audit
  const read = v.safeParse(pitchData, { ...findings, audit_id, completed_at, score })
  if (read.success) return read.output
  const [issue] = read.issues
  throw new ServiceFault('permanent', `The audit cannot be read at ${v.getDotPath(issue)}. Audit it again.`)
}
