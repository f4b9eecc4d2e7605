import * as v from 'valibot'
import type { RecordsContext } from '../contexts/records'
import { clientDays } from '../contracts/clients'
import type { ReadContext } from '../contracts/context'
import { Refusal } from '../contracts/errors'
import { type ComparedFigure, type FigureValues, workspaceFigures } from '../contracts/workspace-figures'
import { defineOperation, field, ours } from '../kit'
import { type Period, periodInput, periodOf, periodSchema, todayOf } from '../kit/periods'
import { nearest } from '../kit/suggest'
import type { NamedWorkspace } from '../tenancy/named-workspaces'
import { chosenWorkspaces, workspacesMax } from './chosen-workspaces'
import { createFiguresReader, type FigureRequest, type FiguresReader } from './figures-reader'

/** Averages and shares of fewer records differ by chance more than by anything else. */
const smallest = 5
/** Workspaces of an answer. All figures of so many have about 40,000 characters. */
const pageSize = 50
const figure = v.object({
  value: v.nullable(v.number()),
  n: field.integer('Records that the value rests on', { min: 0 }),
  previous: v.optional(v.nullable(v.number())),
  previous_n: v.optional(field.integer('Records of the previous value', { min: 0 })),
  not_comparable_because: v.optional(
    ours(field.text('Why value and previous cannot be compared. Left out if they can')),
  ),
})

/** Puts figures of several workspaces side by side, each with the previous period. */
export const compareWorkspaces = defineOperation({
  name: 'compareWorkspaces',
  summary: 'Compare clients by reviews, replies, leads, AI visibility and crawls, with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    figures: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1),
        v.maxLength(40),
        v.description('Default: all'),
        v.examples([['reviews', 'rating']]),
      ),
    ),
    workspaces: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1),
        v.maxLength(workspacesMax),
        v.description('Ids or names. Default: all'),
        v.examples([['Corner Bakery']]),
      ),
      ['*'],
    ),
    sort: v.optional(field.text('Figure; with - largest first')),
    skip: v.optional(field.integer('See next_skip', { min: 0 }), 0),
    ...periodInput,
  }),
  output: v.object({
    period: periodSchema(`The requested period, in your time zone. Default ${clientDays} days`),
    previous_period: periodSchema('The period of the same length before it'),
    figures: v.array(
      v.object({
        name: field.code('Name of the figure'),
        unit: field.oneOf(['count', 'stars', 'share'], 'Unit of its values'),
        definition: ours(field.text('How it is counted, and what n is')),
        not_comparable_because: v.optional(
          ours(field.text('Why its values of two workspaces cannot be compared. Left out if they can')),
        ),
      }),
    ),
    workspaces: v.pipe(
      v.array(
        v.object({
          workspace_id: field.code('Workspace'),
          name: field.text('Its name'),
          period: v.optional(
            periodSchema('Its own period, if the day differs in its time zone. Left out if it is the same'),
          ),
          figures: v.pipe(
            v.record(v.string(), figure),
            v.description(
              'By name of the figure. A figure is missing where the workspace has nothing of its kind',
            ),
          ),
        }),
      ),
      v.description('In the order of sort. Those without a value come last'),
    ),
    workspaces_in_all: field.integer('Chosen workspaces', { min: 0 }),
    next_skip: v.optional(
      field.integer('skip of the next workspaces. Left out if there are no more', { min: 1 }),
    ),
    not_read: v.optional(
      v.pipe(
        v.array(v.object({ workspace_id: field.text('Workspace'), name: field.text('Its name') })),
        v.description('No time was left for these. Ask for them in workspaces'),
      ),
    ),
    counted_at: field.instant('When this was counted'),
  }),
  async run(context, { figures: wanted, workspaces: named, sort, skip, ...input }) {
    const ctx = context as RecordsContext
    const sources = [...ctx.extensions(workspaceFigures)].sort((a, b) => a.order - b.order)
    const all = sources.flatMap(({ figures }) => figures)
    const shown = wanted ? wantedOf(all, wanted, 'figures') : all
    const chosen = await chosenWorkspaces(ctx, named)
    const periodsOn = (today: string) => periodOf(input, { today, days: clientDays })
    const periodsIn = (inside: ReadContext) => periodsOn(todayOf(inside))
    const reader = createFiguresReader(ctx, sources, periodsOn)
    const ordered = await inOrder(reader, chosen, all, sort)
    const page = ordered.read.slice(skip, skip + pageSize)
    const { read, missed } = await reader.read(page, shown)
    const notRead = [...ordered.missed, ...missed]
    const { period, previous } = periodsIn(ctx)
    return {
      period,
      previous_period: previous,
      figures: shown.map(({ name, unit, definition, acrossNote }) => ({
        name,
        unit,
        definition,
        ...(acrossNote === undefined ? {} : { not_comparable_because: acrossNote }),
      })),
      workspaces: read.map((workspace) => ({
        workspace_id: workspace.id,
        name: workspace.name,
        ...otherDays(periodsIn(ctx.inWorkspace(workspace)).period, period),
        figures: Object.fromEntries(
          shown.flatMap((one) => {
            const values = reader.valuesOf(workspace.id, one.name)
            return values ? [[one.name, printed(one, values)]] : []
          }),
        ),
      })),
      workspaces_in_all: chosen.length,
      ...(skip + pageSize < ordered.read.length ? { next_skip: skip + pageSize } : {}),
      ...(notRead.length === 0
        ? {}
        : { not_read: notRead.map(({ id, name }) => ({ workspace_id: id, name })) }),
      counted_at: ctx.now().toISOString(),
    }
  },
})

/** `last_month` and dates are the same everywhere, and the last days are not. */
const otherDays = (own: Period, period: Period) =>
  own.date_from === period.date_from && own.date_to === period.date_to ? {} : { period: own }

/** Only the figure that decides the order is read in every workspace. The others are read of the page. */
async function inOrder(
  reader: FiguresReader,
  workspaces: readonly NamedWorkspace[],
  all: readonly ComparedFigure[],
  sort = 'name',
): Promise<FigureRequest> {
  const name = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  if (name === 'name') return { read: sign > 0 ? workspaces : workspaces.toReversed(), missed: [] }
  const { read, missed } = await reader.read(workspaces, wantedOf(all, [name], 'sort'))
  const currentOf = ({ id }: NamedWorkspace) => reader.valuesOf(id, name)?.now.value ?? null
  const known = read.filter((one) => currentOf(one) !== null)
  const unknown = read.filter((one) => currentOf(one) === null)
  const sorted = known.toSorted((a, b) => sign * (Number(currentOf(a)) - Number(currentOf(b))))
  return { read: [...sorted, ...unknown], missed }
}

function printed({ unit }: ComparedFigure, { now, before, changeNote }: FigureValues) {
  if (!before) return { value: now.value, n: now.n }
  const isSmall = unit !== 'count' && Math.min(now.n, before.n) < smallest
  const why = changeNote ?? (isSmall ? `Fewer than ${smallest} records in one of the periods.` : undefined)
  return {
    value: now.value,
    n: now.n,
    previous: before.value,
    previous_n: before.n,
    ...(why === undefined ? {} : { not_comparable_because: why }),
  }
}

function wantedOf(
  all: readonly ComparedFigure[],
  wanted: readonly string[],
  from: 'figures' | 'sort',
): readonly ComparedFigure[] {
  const allowed = all.map(({ name }) => name)
  const place = wanted.findIndex((name) => !allowed.includes(name))
  if (place < 0) return all.filter(({ name }) => wanted.includes(name))
  const meant = nearest(wanted[place] ?? '', allowed)
  const message = 'is not a figure'
  const [pointer, what] =
    from === 'sort' ? ['/sort', 'The field sort'] : [`/figures/${place}`, 'An entry of figures']
  throw new Refusal('invalid_field', `${what} ${message}.`, {
    errors: [
      {
        pointer,
        code: 'invalid',
        message,
        allowed,
        ...(meant === undefined ? {} : { did_you_mean: meant }),
      },
    ],
  })
}
