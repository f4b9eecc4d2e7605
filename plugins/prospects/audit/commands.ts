import {
  type ActRecord,
  actCommands,
  defineAct,
  defineCommand,
  field,
  type OwnerContext,
  Refusal,
  where,
} from 'renown'
import * as v from 'valibot'
import { type Audit, isEnded } from '../records/auditStatus'
import { BusinessLocation, type Prospect } from '../records/foreign'
import { auditStatus, ProspectAudit } from '../records/ProspectAudit'
import type { Section } from '../records/section'
import { startAudit } from './newProspects'

/** The location of an act. The acts refuse a location that is not a prospect. */
export const onProspect: ActRecord<typeof BusinessLocation> = {
  entity: BusinessLocation,
  field: 'location_id',
  called: 'location',
}
const ends = Object.entries(auditStatus.moves).flatMap(([state, next]) => (next.length === 0 ? [state] : []))

/** Audits a prospect now. There is one audit per prospect: a new one replaces an ended one. */
export const auditProspect = defineAct({
  name: 'prospect audit',
  summary: 'Audit a prospect. If the prospect already has a finished audit, --again starts a new one',
  on: onProspect,
  fields: { again: v.optional(field.flag('Replace an audit that has ended'), false) },
  label: 'Audit',
  done: 'The audit is running.',
  audit: {
    action: 'location.audit',
    what: 'Audit of a prospect started',
    subject: (_, { business_name }) => business_name,
  },
  async run(ctx, { row, input: { again } }) {
    const prospect = requireProspect(row)
    const { id: location_id } = prospect
    await ctx.requireActive(prospect.workspace_id)
    const standing = await auditOf(ctx, location_id)
    if (standing && !(again && isEnded(standing))) {
      if (again)
        throw new Refusal(
          'conflict',
          `The audit of ${standing.business_name} is ${standing.status}. Wait until it ends.`,
        )
      return { answer: { ...inShort(standing), begun: false }, isChanged: false }
    }
    if (standing) {
      const ended = where.and(where.eq('id', standing.id), where.in('status', ends))
      await ctx.rows(ProspectAudit).removeWhere(ended)
    }
    const audit = await startAudit(ctx, prospect)
    if (!audit)
      throw new Refusal(
        'conflict',
        'Somebody else has just started an audit of this location. Check that one.',
      )
    return { answer: { ...inShort(audit), begun: true } }
  },
})

/** Shows an audit, also of a business that is no longer a prospect. */
const show = defineCommand({
  name: 'prospect show',
  summary: 'Show the findings of an audit, and what is unknown',
  input: v.strictObject({
    location_id: field.text('The prospect'),
    full: v.optional(field.flag('All findings, as callers read them'), false),
  }),
  positional: ['location_id'],
  async run(ctx, { location_id, full }) {
    const audit = await auditOf(ctx, location_id)
    if (!audit) throw new Refusal('not_found', `There is no audit of the location ${location_id}.`)
    const { website, score = null, findings, error } = audit
    return {
      ...inShort(audit),
      ...(website === undefined ? {} : { website }),
      score,
      ...(error === undefined ? {} : { error }),
      ...(findings === undefined
        ? {}
        : full
          ? { findings }
          : { parts: Object.entries(findings).map(partInShort) }),
    }
  },
})

function partInShort([part, found]: [string, object | undefined]) {
  const { status, score, method, looked_at, unknown } = found as unknown as Section
  const not_known = unknown.map(({ what, reason }) => `${what}: ${reason}`).join(' ')
  return { part, status, score: score ?? null, looked_at, method, not_known: not_known || null }
}

const inShort = ({ id, location_id, business_name, status, created_date, completed_at }: Audit) => ({
  audit_id: id,
  location_id,
  business_name,
  status,
  created_date,
  ...(completed_at === undefined ? {} : { completed_at }),
})

async function auditOf(ctx: OwnerContext, location_id: string): Promise<Audit | null> {
  const own = where.eq('location_id', location_id)
  const [audit] = await ctx.rows(ProspectAudit).list({ where: own, limit: 1 })
  return audit ?? null
}

function requireProspect(location: Prospect): Prospect {
  if (location.is_demo)
    throw new Refusal(
      'conflict',
      'The location belongs to the demo. Renown makes no outside requests for it.',
    )
  if (!location.is_prospect)
    throw new Refusal(
      'conflict',
      `The location ${location.id} is not a prospect. Only prospects are audited.`,
    )
  return location
}

/** The commands of audits. */
export const auditCommands = [show, ...actCommands([auditProspect])]
