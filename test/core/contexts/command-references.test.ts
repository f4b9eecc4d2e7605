import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { commandReferences } from '../../../core/contexts/command-references'
import { runCommand } from '../../../core/contexts/run-command'
import type { AnyCommand } from '../../../core/contracts/plugin'
import { shapeOf } from '../../../core/kit/fields'
import { withCore } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../plugins'
import { type Gate, startGate } from '../../support/harness'
import { part } from '../../support/part'
import { sampleRow } from '../../support/sample-row'
import { shippedRegistry } from '../../support/shipped'

/** Arguments that end like an id and that the command itself looks up, or that name nothing of Renown. */
const own: Readonly<Record<string, string>> = {
  grant_id: 'the grant of an app, which the command finds',
  google_place_id: 'an id of Google',
  google_account_id: 'an id of Google',
  google_location_id: 'an id of Google',
  facebook_page_id: 'an id of Facebook',
  youtube_channel_id: 'an id of YouTube',
  reddit_account_id: 'an id of Reddit',
  platform_id: 'the own id of a platform',
  id: 'a field of a log line',
  list_id: 'a schedule or a report, which the command finds',
  mail_id: 'a message, which the command finds',
  webhook_id: 'a webhook, which the command finds',
  event_id: 'an event, which the command finds',
  user_id: 'a person, whom the command finds',
  job_id: 'a job, which the command finds',
  account_id: 'an id of the service',
  connection_id: 'a connection, which the command finds',
  ids: 'ids of the service',
}

/** Commands that find their records themselves after other checks: what they need beside the argument, and their code. */
const later: Readonly<Record<string, { readonly given: () => object; readonly code: string }>> = {
  'person invite workspace_ids': {
    given: () => ({ name: 'Ann', agency_id: gate.tenant.agencyId }),
    code: 'invalid_field',
  },
}

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: withCore(builtin) })
})
afterAll(() => gate?.stop())

const run = (name: string, input: object) =>
  runCommand({ commands: gate.registry.commands, owner: gate.owner, registry: gate.registry }, name, input)

const commands = [...shippedRegistry().commands.values()].flatMap((command) => {
  const ids = (shapeOf(command.input).fields ?? []).filter(({ name }) => /(?:^|_)ids?$/.test(name))
  return ids.map((field) => ({ command: command.name, argument: field.name }))
})

describe.each(commands)('$command', ({ command, argument }) => {
  test(`says which record ${argument} names, or that no record has it`, async () => {
    const declared = gate.registry.commands.get(command) as AnyCommand
    const known = commandReferences(gate.registry, declared).find(({ path }) => path[0] === argument)
    if (!known) {
      expect([command, argument, argument in own]).toEqual([command, argument, true])
      return
    }
    const isList = known.path.length > 1
    for (const text of [
      `${known.entity.idPrefix}_00000000000000000000000000`,
      'Harbur Bakehose',
      'nowhere.example',
    ])
      await expect(
        run(command, { ...later[`${command} ${argument}`]?.given(), [argument]: isList ? [text] : text }),
      ).rejects.toMatchObject({ code: later[`${command} ${argument}`]?.code ?? 'not_found' })
  })
})

test('commands take the name or domain of a location in any workspace, and refuse one of several', async () => {
  const put = (business_name: string, website: string, workspace?: string) =>
    gate.put(
      BusinessLocation,
      part({ ...sampleRow(BusinessLocation, 'x'), business_name, website }),
      workspace,
    )
  const { id } = await put('Harbour Bakehouse', 'https://harbour.example', gate.stranger.workspaceId)
  await put('Copper Kettle', 'https://one.example')
  await put('copper kettle', 'https://two.example')
  for (const location_id of [id, 'harbour bakehouse', 'www.harbour.example'])
    expect(await run('location show', { location_id })).toMatchObject({ location_id: id })
  await expect(run('location show', { location_id: 'Copper Kettle' })).rejects.toMatchObject({
    code: 'invalid_field',
  })
  await expect(run('location show', { location_id: 'Harbour Bakehose' })).rejects.toMatchObject({
    details: { errors: [{ did_you_mean: 'Harbour Bakehouse' }] },
  })
})
