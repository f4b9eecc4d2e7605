import * as v from 'valibot'
import {
  defineAct,
  defineCommand,
  field,
  isPassing,
  isServiceFault,
  type OwnerContext,
  Refusal,
  requireRow,
} from '../../kit'
import { Connection } from '../../outbound/Connection'
import { accountLocations, existingLocationsIn } from './account-locations'
import { importLocations } from './import-locations'

const connectionId = field.text('The account, as `connection list` shows it')

/** Lists the locations of an account, as its service lists them now. */
export const connectionLocations = defineCommand({
  name: 'connection location list',
  summary: "Show a connected account's locations as its service lists them, and which of them are here",
  input: v.strictObject({ connection_id: connectionId }),
  positional: ['connection_id'],
  async run(ctx, { connection_id }) {
    const connection = await connectionOf(ctx, connection_id)
    const { locations, elsewhere } = await accountLocations(ctx, connection).catch(refused)
    const standing = await existingLocationsIn(ctx, connection.workspace_id)
    return {
      connection_id,
      account_id: connection.account_id,
      locations: locations.map((one) => ({
        id: one.id,
        name: one.profile.business_name,
        place: one.place,
        location_id: standing(one)?.location.id,
        caution: one.caution,
        refused: one.refused,
      })),
      ...(elsewhere === 0 ? {} : { reached_through_other_accounts: elsewhere }),
    }
  },
})

/** Adds some of them. */
export const connectionImport = defineAct({
  name: 'connection location import',
  summary: 'Add locations of a connected account to its workspace; they are read at once',
  on: { entity: Connection, field: 'connection_id', called: 'connection' },
  fields: {
    ids: v.pipe(
      v.array(v.string()),
      v.minLength(1, 'at least one'),
      v.maxLength(1_000, 'at most 1000'),
      v.description("The service's own ids, as `connection location list` shows them"),
    ),
    trial: v.optional(field.flag('Start a trial for locations beyond the paid capacity'), false),
  },
  positional: ['ids'],
  only: 'owner',
  label: 'Add the locations',
  done: 'The locations are added. Renown reads them now.',
  recordedByRun: ['location.add', 'location.change'],
  async run(ctx, { row: connection, input: { ids, trial } }) {
    const locations = await importLocations(ctx, connection, ids, { trial }).catch(refused)
    const left = locations.filter(({ outcome }) => outcome === 'refused')
    if (left.length < locations.length) return { answer: { connection_id: connection.id, locations } }
    const [first] = left
    throw new Refusal('conflict', left.map(({ id, reason }) => `${id}: ${reason}`).join('\n'), {
      ...(first?.hint === undefined ? {} : { hint: first.hint }),
    })
  },
})

async function connectionOf(ctx: OwnerContext, id: string) {
  return requireRow(ctx.rows(Connection), 'connection', id)
}

/** A refusal of the service is a result, not an error of the command. */
function refused(error: unknown): never {
  if (!isServiceFault(error)) throw error
  throw new Refusal(isPassing(error) ? 'unavailable' : 'conflict', error.message)
}
