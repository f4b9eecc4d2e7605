import { where } from 'renown'
import type { ListChoice, ListChoices, ListFilters, PageContext } from 'renown/pages'
import { channelNames } from '../records/channel-names'
import { channels } from '../records/channels'
import { BusinessLocation } from '../records/foreign'
import { stageNames, stages } from '../records/stage-names'

/** The address of the board. */
export const boardPath = '/app/leads'

const locationsMax = 500

/** The filters of the board, and of the list of a stage. */
export const boardFilters = {
  stage: {
    kind: 'views',
    label: 'Stages',
    options: [['', 'Board'], ...stages.map((stage) => [stage, stageNames[stage]] as const)],
  },
  location: { kind: 'record', label: 'Location', called: 'location', options: locations },
  source: {
    kind: 'choice',
    label: 'Source',
    options: channels.map((channel) => [channel, channelNames[channel]] as const),
  },
  seen: {
    kind: 'choice',
    label: 'Seen',
    options: [
      ['no', 'Not seen'],
      ['yes', 'Seen'],
    ],
  },
  // The name of a person is a value too.
  assigned: {
    kind: 'record',
    label: 'Assigned to',
    called: 'person',
    options: async () => [
      ['me', 'Me'],
      ['none', 'Nobody'],
    ],
  },
  days: {
    kind: 'choice',
    label: 'Found',
    none: 'Any time',
    isFolded: true,
    options: [
      ['1', 'Last 24 hours'],
      ['7', 'Last 7 days'],
      ['30', 'Last 30 days'],
      ['90', 'Last 90 days'],
      ['365', 'Last 365 days'],
    ],
  },
  due: { kind: 'choice', label: 'Next step', isFolded: true, options: [['1', 'Due']] },
  archived: {
    kind: 'choice',
    label: 'Archive',
    none: 'Not archived',
    isFolded: true,
    options: [['1', 'Archived leads']],
  },
} as const satisfies ListFilters

/** The values of the filters. Empty: not set. */
export type BoardFilters = ListChoice<typeof boardFilters>

/** Whether the columns are shown, and not the list of one stage. */
export const isBoard = ({ stage }: Pick<BoardFilters, 'stage'>): boolean => stage === ''

async function locations(ctx: PageContext): Promise<ListChoices> {
  const rows = await ctx.rows(BusinessLocation).list({
    where: where.eq('is_prospect', false),
    sort: [{ field: 'id', direction: 'asc' }],
    limit: locationsMax,
    fields: ['business_name'],
  })
  return rows
    .map(({ id, business_name }) => [id, business_name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
}
