import * as v from 'valibot'
import type { RecordsContext } from '../contexts/records'
import { hourMs } from '../contracts/time'
import type { UsedLimit } from '../contracts/workspace-limits'
import { defineOperation, field, ours } from '../kit'

const amount = (description: string) => field.number(description, { min: 0 })

/** Answers how much of each limit is used, how much is left, and when it runs out. */
export const getLimits = defineOperation({
  name: 'getLimits',
  summary: 'Limits: used, left, when they run out and what happens then',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({
    limits: v.pipe(
      v.array(
        v.object({
          name: field.code('Name of the limit'),
          subject: v.optional(field.text('What it belongs to, such as a tracker')),
          per: field.oneOf(['credential', 'workspace', 'agency', 'tracker', 'location'], 'Who shares it'),
          unit: ours(field.text('What is counted')),
          used: amount('Used'),
          limit: amount('The limit'),
          left: amount('Left. 0 also if more than the limit is used'),
          resets_at: v.optional(field.instant('When it starts again at 0. Left out if it does not')),
          runs_out_at: v.optional(
            field.instant(
              'When it runs out if it is used as fast as since it started. Left out if it lasts until resets_at',
            ),
          ),
          at_limit: ours(field.text('What happens at the limit')),
        }),
      ),
      v.description(
        'Limits of the agency, the credential and the workspace. Trackers and locations have limits of their own',
      ),
    ),
    checked_at: field.instant('When this was read'),
  }),
  async run(context) {
    const ctx = context as RecordsContext
    const now = ctx.now()
    const limits = await ctx.usedLimits()
    return { limits: limits.map((one) => printed(one, now.getTime())), checked_at: now.toISOString() }
  },
})

function printed({ name, subject, per, unit, used, limit, window, atLimit }: UsedLimit, now: number) {
  const left = Math.max(0, rounded(limit - used))
  const ends = window && runsOutAt(used, left, window, now)
  return {
    name,
    ...(subject === undefined ? {} : { subject }),
    per,
    unit,
    used: rounded(used),
    limit,
    left,
    ...(window ? { resets_at: window.until } : {}),
    ...(ends === undefined ? {} : { runs_out_at: ends }),
    at_limit: atLimit,
  }
}

function runsOutAt(
  used: number,
  left: number,
  { from, until }: NonNullable<UsedLimit['window']>,
  now: number,
) {
  if (left === 0) return new Date(now).toISOString()
  // The first minutes of a day say nothing about the rest.
  if (used === 0 || now - Date.parse(from) < hourMs) return undefined
  const ends = now + (left * (now - Date.parse(from))) / used
  return ends < Date.parse(until) ? new Date(ends).toISOString() : undefined
}

const rounded = (value: number): number => Math.round(value * 100) / 100
