import * as v from 'valibot'
import { Refusal } from '../../contracts/errors'
import { identifierKinds } from '../../contracts/people'
import type { JobDeclaration, OwnerContext } from '../../contracts/plugin'
import { minuteMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { defineAct, field } from '../../kit'
import { Agency } from '../../tenancy/Agency'
import { commandLine } from '../../tenancy/audit/audit'
import { agencyInput, agencyOf } from '../../tenancy/named-agency'
import { PersonRequest, type PersonRequestRow } from '../../tenancy/rights/PersonRequest'
import { personRightsOf } from './index'
import { exportOf, foundRows, readableExport } from './shown'
import { digestOf } from './steps'

/** Rows that are shown of a search. */
export const shownMax = 200
/** How long a form waits for a search or an erasure. It continues in the background. */
const patienceMs = 5_000

const typed = {
  email: v.optional(field.texts('E-mail addresses, separated by commas')),
  name: v.optional(field.texts('Full names, separated by commas')),
  profile: v.optional(field.texts('Web addresses of profiles, separated by commas')),
  handle: v.optional(field.texts('Names on platforms, such as `@anna_m`, separated by commas')),
  phone: v.optional(field.texts('Telephone numbers, separated by commas')),
}

const byOf = ({ by }: Pick<OwnerContext, 'by'>) => by ?? { host: commandLine }

const find = defineAct({
  name: 'person find',
  summary:
    'Find everything about one person: reviews, mentions, leads, members, recipients, and texts that name them',
  on: {
    entity: Agency,
    field: 'agency_id',
    called: 'agency',
    inShell: {
      fields: { agency_id: agencyInput },
      find: async (ctx, { agency_id }) =>
        ctx.rows(Agency).get(await agencyOf(ctx, agency_id as string | undefined)),
    },
  },
  fields: typed,
  isShellOnly: true,
  recordedByRun: ['person.search'],
  async run(ctx, { row, input }) {
    const rights = personRightsOf(ctx)
    const own = Object.fromEntries(identifierKinds.map((kind) => [kind, (input[kind] ?? []).filter(Boolean)]))
    const begun = await rights.begin(row.id, own, byOf(ctx))
    const request = await patiently(ctx, begun, rights.work(begun.id))
    return { answer: await answerOf(ctx, request), created: begun.id }
  },
})
const about = {
  entity: PersonRequest,
  field: 'request_id',
  called: 'search',
  hint: '`renown person find` makes one.',
} as const
const show = defineAct({
  name: 'person show',
  summary: 'Show what a search for one person found, or how far an erasure is',
  on: about,
  isShellOnly: true,
  run: async (ctx, { row }) => ({ answer: await answerOf(ctx, row), isChanged: false }),
})
const exportAct = defineAct({
  name: 'person export',
  summary: 'Print everything that a search for one person found, as JSON with `--json`, else as text',
  on: about,
  isShellOnly: true,
  audit: {
    action: 'person.export',
    what: 'Data about one person exported',
    subject: (_, row) => digestOf(row),
    isHistory: true,
  },
  async run(ctx, { row }) {
    mustBeFound(row)
    const made = await exportOf(ctx, personRightsOf(ctx).entities, row)
    return { answer: { person: made, text: readableExport(made) } }
  },
})
const erase = defineAct({
  name: 'person erase',
  summary: 'Erase everything that a search for one person found. This cannot be undone',
  on: about,
  fields: {
    keep: v.optional(field.texts('Ids of found records that are about somebody else, separated by commas')),
    sure: v.optional(field.flag('Erase without a question. The shell asks for it')),
  },
  isShellOnly: true,
  recordedByRun: ['person.erase'],
  async run(ctx, { row, input }) {
    if (ctx.by?.host === commandLine && !input.sure && row.state === 'found')
      throw new Refusal(
        'conflict',
        `This erases the person from ${countsIn(row)} and cannot be undone. Nothing was changed. Add --sure.`,
      )
    const rights = personRightsOf(ctx)
    const begun = await rights.erase(row, (input.keep ?? []).filter(Boolean), byOf(ctx))
    const request = await patiently(ctx, begun, rights.work(begun.id))
    return { answer: await answerOf(ctx, request) }
  },
})

/** What operators and owners do for the rights of one person. Owners have a page of its own, because it shows what a search found. */
export const personActs = { find, show, export: exportAct, erase }

function mustBeFound({ state }: PersonRequestRow): void {
  if (state === 'searching') throw new Refusal('conflict', 'The search has not ended yet.')
  if (state !== 'found') throw new Refusal('conflict', 'This person is erased, so nothing is left to export.')
}

/** Waits for a request. On pages at most five seconds. */
async function patiently(
  ctx: OwnerContext,
  begun: PersonRequestRow,
  work: Promise<PersonRequestRow>,
): Promise<PersonRequestRow> {
  work.catch((error) =>
    ctx.log.error('a search for a person was interrupted', { id: begun.id, error: String(error) }),
  )
  if (byOf(ctx).host === commandLine) return work
  return Promise.race([work, Bun.sleep(patienceMs).then(() => begun)])
}

const countsIn = ({ found }: PersonRequestRow) => {
  const all = Object.values(found).reduce((sum, { about, named }) => sum + about + named, 0)
  return all === 1 ? 'one record' : `${all} records`
}

/** The answer of the shell. */
async function answerOf(ctx: OwnerContext, row: PersonRequestRow) {
  const { id, state, found, tables, noted_in, missing_in } = row
  const counts = Object.entries(found).map(([record_type, { about, named }]) => ({
    record_type,
    about,
    named,
  }))
  return {
    request_id: id,
    state,
    counts: [
      ...counts,
      ...Object.entries(tables).map(([record_type, named]) => ({ record_type, about: 0, named })),
    ],
    ...(state === 'found'
      ? { records: await foundRows(ctx, personRightsOf(ctx).entities, row, shownMax) }
      : {}),
    ...(state === 'erased'
      ? { backups_with_a_note: noted_in, backups_not_reached: missing_in, not_reached: notReached }
      : {}),
  }
}

/** What an erasure cannot reach. */
export const notReached = [
  'The platforms themselves: a review stays there until its author deletes it.',
  'Mails, PDFs and webhooks that were sent.',
  'Backups: they keep the person until they are deleted. A restore erases the person again.',
] as const

/** Continues searches and erasures that were interrupted. */
export const personWork: JobDeclaration = {
  summary: 'Continue searches for people, and erasures, that were interrupted',
  everyMs: minuteMs,
  includesInactive: true,
  run: async (ctx, signal) => {
    const open = where.in('state', ['searching', 'erasing'])
    if ((await ctx.rows(PersonRequest).count(open)) > 0) await personRightsOf(ctx).resume(signal)
  },
}
