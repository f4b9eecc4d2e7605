import * as v from 'valibot'
import type { RecordsContext } from '../contexts/records'
import { Refusal } from '../contracts/errors'
import {
  type ComparedFigure,
  type FigureValues,
  type WorkspaceFigureSource,
  workspaceFigures,
} from '../contracts/workspace-figures'
import { defineOperation, field, ours } from '../kit'
import { periodInput, periodOf, periodSchema, todayOf } from '../kit/periods'
import { nearest } from '../kit/suggest'
import { nowDoing } from '../work/scope'
import { chosenWorkspaces, workspacesMax } from './chosen-workspaces'

/** Averages and shares of fewer records differ by chance more than by anything else. */
const smallest = 5
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
  summary:
    'Compare clients: reviews, ratings, replies, leads, AI visibility and crawls per workspace, with the previous period',
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
        v.description('Ids or names. Default: all that you read'),
        v.examples([['Corner Bakery']]),
      ),
      ['*'],
    ),
    ...periodInput,
  }),
  output: v.object({
    period: periodSchema('The requested period, in the time zone of each workspace. Default 30 days'),
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
          figures: v.pipe(
            v.record(v.string(), figure),
            v.description(
              'By name of the figure. A figure is missing where the workspace has nothing of its kind',
            ),
          ),
        }),
      ),
      v.description('In the order of their names'),
    ),
    counted_at: field.instant('When this was counted'),
  }),
  async run(context, { figures: wanted, workspaces: named, ...input }) {
    const ctx = context as RecordsContext
    const sources = [...ctx.extensions(workspaceFigures)].sort((a, b) => a.order - b.order)
    const all = sources.flatMap(({ figures }) => figures)
    const shown = wanted ? wantedOf(all, wanted) : all
    const names = new Set(shown.map(({ name }) => name))
    const asked = sources.filter(({ figures }) => figures.some(({ name }) => names.has(name)))
    const workspaces = await chosenWorkspaces(ctx, named)
    const rows = []
    for (const [place, workspace] of workspaces.entries()) {
      nowDoing(`${place} of ${workspaces.length} workspaces`)
      const inside = ctx.inWorkspace(workspace)
      const periods = periodOf(input, { today: todayOf(inside), days: 30 })
      const figures = await figuresIn(inside, asked, periods)
      rows.push({
        ...{ workspace_id: workspace.id, name: workspace.name },
        figures: Object.fromEntries(
          shown.flatMap((one) => {
            const values = figures[one.name]
            return values ? [[one.name, printed(one, values)]] : []
          }),
        ),
      })
    }
    const { period, previous } = periodOf(input, { today: todayOf(ctx), days: 30 })
    return {
      ...{ period, previous_period: previous },
      figures: shown.map(({ name, unit, definition, acrossNote }) => ({
        ...{ name, unit, definition },
        ...(acrossNote === undefined ? {} : { not_comparable_because: acrossNote }),
      })),
      workspaces: rows,
      counted_at: ctx.now().toISOString(),
    }
  },
})

async function figuresIn(
  ctx: Parameters<WorkspaceFigureSource['read']>[0],
  sources: readonly WorkspaceFigureSource[],
  periods: Parameters<WorkspaceFigureSource['read']>[1],
): Promise<Readonly<Partial<Record<string, FigureValues>>>> {
  const read = []
  for (const source of sources) read.push(await source.read(ctx, periods))
  return Object.assign({}, ...read)
}

function printed({ unit }: ComparedFigure, { now, before, changeNote }: FigureValues) {
  if (!before) return { value: now.value, n: now.n }
  const isSmall = unit !== 'count' && Math.min(now.n, before.n) < smallest
  const why = changeNote ?? (isSmall ? `Fewer than ${smallest} records in one of the periods.` : undefined)
  return {
    ...{ value: now.value, n: now.n, previous: before.value, previous_n: before.n },
    ...(why === undefined ? {} : { not_comparable_because: why }),
  }
}

function wantedOf(all: readonly ComparedFigure[], wanted: readonly string[]): readonly ComparedFigure[] {
  const allowed = all.map(({ name }) => name)
  const place = wanted.findIndex((name) => !allowed.includes(name))
  if (place < 0) return all.filter(({ name }) => wanted.includes(name))
  const meant = nearest(wanted[place] ?? '', allowed)
  const message = 'is not a figure'
  throw new Refusal('invalid_field', `An entry of figures ${message}.`, {
    errors: [
      {
        ...{ pointer: `/figures/${place}`, code: 'invalid', message, allowed },
        ...(meant === undefined ? {} : { did_you_mean: meant }),
      },
    ],
  })
}
