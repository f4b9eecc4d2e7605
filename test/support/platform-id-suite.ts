import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { definePlugin, type PluginDeclaration } from 'renown'
import {
  BusinessLocation,
  fieldOfId,
  idKeyIn,
  type PlatformId,
  type PlatformIds,
  platformId,
  platformIdsOf,
  shownIds,
} from 'renown/records'
import { existingLocationsIn } from '../../core/connections/listing/account-locations'
import { runCommand } from '../../core/contexts/run-command'
import { corePlugins } from '../../core/product/core-plugins'
import { builtin } from '../../plugins'
import { type Gate, startGate } from './harness'

/** How `testPlatformId` drives an id of locations. */
export interface PlatformIdSuite {
  readonly plugin: PluginDeclaration
  /** Further plugins that it needs, beside those in the box. */
  readonly with?: readonly PluginDeclaration[]
  /** Name of the id. */
  readonly name: string
  /** One id, in every way in which people or the platform write it. For an id without a field, without its name. */
  readonly written: readonly [string, ...string[]]
  /** The id of another business. */
  readonly other: string
  /** Texts that are no id of the platform. */
  readonly invalid: readonly [string, ...string[]]
  /** Further fields that a location with the id must have, such as its account. */
  readonly parts?: PlatformIds
}

/** The listing of another platform. A location with one cannot have another. */
const suiteListing: PlatformId = {
  name: 'suite-listing',
  order: 90,
  source: 'suite',
  label: 'suite listing',
  pattern: /^\d+$/,
  example: 'a number',
  isListing: true,
}
const suitePlugin = definePlugin({
  name: 'suite-listing',
  renown: '^1.0.0',
  provides: [platformId.with(suiteListing)],
})

/**
 * Writes the tests of the contract of `locations.id`: which ids are accepted, that an id is stored in one form and
 * found again in every form, that one workspace has it once, and that it is shown. Call it in a test file.
 */
export function testPlatformId(suite: PlatformIdSuite): void {
  const held: { gate?: Gate } = {}
  const gate = () => held.gate as Gate
  const run = (name: string, input: object) =>
    runCommand({ commands: gate().registry.commands, owner: gate().owner }, name, input)
  const id = () => {
    const found = platformIdsOf(gate().owner).find(({ name }) => name === suite.name)
    if (!found) throw new Error(`The plugin ${suite.plugin.name} provides no locations.id ${suite.name}`)
    return found
  }
  const written = (text: string): PlatformIds => ({
    [fieldOfId(id())]: id().field === undefined ? `${id().name}:${text}` : text,
  })
  const names = { count: 0 }
  const add = (ids: PlatformIds, workspace_id = gate().tenant.workspaceId) =>
    run('location create', {
      business_name: `Acme ${names.count++}`,
      workspace_id,
      ...suite.parts,
      ...ids,
    })
  const rowOf = async (location_id: unknown) => {
    const row = await gate().owner.rows(BusinessLocation).get(String(location_id))
    if (!row) throw new Error('The location was not stored')
    return row
  }
  const [first, ...others] = suite.written

  describe(`the id ${suite.name}`, () => {
    beforeAll(async () => {
      const own = [suite.plugin, ...(suite.with ?? []), suitePlugin]
      const known = new Set([...own, ...corePlugins].map((plugin) => plugin.name))
      const box = builtin.filter((plugin) => !known.has(plugin.name))
      held.gate = await startGate({ plugins: [...own, ...box] })
    })
    afterAll(() => held.gate?.stop())

    test.each(suite.invalid)('refuses %j, names the field and says what is accepted', async (text) => {
      const count = await gate().owner.rows(BusinessLocation).count()
      await expect(add(written(text))).rejects.toMatchObject({
        code: 'invalid_field',
        details: { errors: [{ pointer: `/${fieldOfId(id())}`, message: id().example }] },
      })
      expect(await gate().owner.rows(BusinessLocation).count()).toBe(count)
    })

    test('is stored in one form, decides the source, and is shown by its name', async () => {
      const { workspaceId } = gate().stranger
      const rows = []
      for (const text of suite.written) {
        const { location_id } = await add(written(text), workspaceId)
        const row = await rowOf(location_id)
        expect(row.source).toBe(id().source)
        expect(shownIds(gate().owner, row).map(({ label }) => label)).toContain(id().label)
        rows.push(row)
        await gate().owner.rows(BusinessLocation).removeWhere({ op: 'eq', field: 'id', value: row.id })
      }
      expect(new Set(rows.map((row) => row[fieldOfId(id())])).size).toBe(1)
    })

    test('belongs to one location of a workspace, however it is written', async () => {
      const { workspaceId, otherWorkspaceId } = gate().tenant
      const { location_id } = await add(written(first))
      for (const text of suite.written) {
        await expect(add(written(text))).rejects.toMatchObject({
          code: 'conflict',
          details: { extra: { location_id }, errors: [{ code: 'taken' }] },
        })
        const existing = await existingLocationsIn(gate().owner, workspaceId)
        const listed = { id: text, profile: { business_name: 'Acme', ...written(text) } }
        expect(existing(listed)?.location.id).toBe(String(location_id))
      }
      await add(written(suite.other))
      await add(written(first), otherWorkspaceId)
    })

    test('is kept when it is given again in another form', async () => {
      const { workspaceId } = gate().stranger
      const { location_id } = await add(written(suite.other), workspaceId)
      const before = await rowOf(location_id)
      for (const text of [first, ...others]) {
        await run('location update', { location_id, ...suite.parts, ...written(text) })
        expect(idKeyIn(id(), await rowOf(location_id))).toBe(idKeyIn(id(), written(first)))
      }
      await run('location update', { location_id, ...suite.parts, ...written(suite.other) })
      expect((await rowOf(location_id))[fieldOfId(id())]).toBe(before[fieldOfId(id())])
    })

    test('of a listing is the only listing of its location, and any other id may stand beside one', async () => {
      const second: PlatformIds =
        id().field === undefined ? { facebook_page_id: '7' } : { platform_id: 'suite-listing:7' }
      const both = add({ ...second, ...written(suite.other) }, gate().tenant.otherWorkspaceId)
      if (id().isListing)
        await expect(both).rejects.toMatchObject({ details: { errors: [{ code: 'exclusive' }] } })
      else expect(await both).toMatchObject({ is_active: true })
    })
  })
}
