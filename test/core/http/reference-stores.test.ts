import { afterAll, beforeAll, expect, test } from 'bun:test'
import { defineOperation, definePlugin, field } from 'renown'
import * as v from 'valibot'
import type { Documents } from '../../../core/stores/documents/port'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { type Gate, startGate } from '../../support/harness'
import { describeGateStores } from '../../support/mongo'
import { sampleRow } from '../../support/sample-row'

/** An operation of a stranger with references inside of objects and lists, which answers with what it was given. */
const nested = defineOperation({
  name: 'repeat',
  summary: 'Repeats its input',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    location_id: v.optional(field.text('Location')),
    about: v.optional(v.strictObject({ of: field.reference('BusinessLocation', 'Location') })),
    items: v.optional(v.array(v.strictObject({ location_ids: field.texts('Locations') }))),
    marked: v.optional(field.batch('Notification', 5, 'Notifications')),
  }),
  output: v.object({ said: field.anything('The input') }),
  run: async (_, input) => ({ said: input }),
})

describeGateStores('references on %s', (_, open) => {
  let documents: Documents | undefined
  let gate: Gate
  const ids = { own: '', other: '', foreign: '' }
  beforeAll(async () => {
    documents = await open()
    const plugin = definePlugin({ name: 'repeating', renown: '^1.0.0', operations: [nested] })
    gate = await startGate({ plugins: [plugin], ...(documents ? { documents } : {}) })
    const put = async (business_name: string, workspace: string) => {
      const row = {
        ...sampleRow(BusinessLocation, 'x'),
        business_name,
        website: `https://${business_name.toLowerCase()}.example`,
      }
      return String((await gate.put(BusinessLocation, row as never, workspace)).id)
    }
    ids.own = await put('Kettle', gate.tenant.workspaceId)
    ids.other = await put('Lantern', gate.tenant.otherWorkspaceId)
    ids.foreign = await put('Anchor', gate.stranger.workspaceId)
  })
  afterAll(async () => {
    await gate?.stop()
    await documents?.close()
  })

  const call = async (body: object) => {
    const answer = await gate.call('repeat', body)
    const { said, code, errors, detail } = (await answer.json()) as {
      said?: object
      code?: string
      detail?: string
      errors?: { pointer: string }[]
    }
    return said ?? { code, at: errors?.[0]?.pointer, detail }
  }

  test('names are replaced by ids wherever they are, and what was sent stays otherwise the same', async () => {
    const body = {
      about: { of: 'kettle' },
      items: [{ location_ids: ['kettle.example', ids.own] }, { location_ids: [] }],
    }
    expect(await call(body)).toEqual({
      about: { of: ids.own },
      items: [{ location_ids: [ids.own, ids.own] }, { location_ids: [] }],
    })
    expect(await call({})).toEqual({})
  })

  test.each<[string, (text: string) => object, string]>([
    ['an argument', (text) => ({ location_id: text }), '/location_id'],
    ['an object', (text) => ({ about: { of: text } }), '/about/of'],
    [
      'a list in a list',
      (text) => ({ items: [{ location_ids: [ids.own, text] }] }),
      '/items/0/location_ids/1',
    ],
  ])('a wrong one in %s is refused, and the place is named', async (_, bodyOf, at) => {
    expect(await call(bodyOf('loc_00000000000000000000000000'))).toMatchObject({ code: 'not_found', at })
    expect(await call(bodyOf('Kettel'))).toMatchObject({ code: 'not_found', at })
    expect(await call(bodyOf(ids.foreign))).toMatchObject({ code: 'not_in_workspace', at })
    expect(await call(bodyOf('Anchor'))).toMatchObject({ code: 'not_found', at })
    for (const text of [ids.other, 'Lantern', 'www.lantern.example'])
      expect(await call(bodyOf(text))).toMatchObject({
        code: 'not_in_workspace',
        at,
        detail: expect.stringContaining('it belongs to Second: pass workspace_id'),
      })
  })

  test('a batch passes ids that no record has, and nothing else that is wrong', async () => {
    const unknown = 'ntf_00000000000000000000000000'
    expect(await call({ marked: [unknown] })).toEqual({ marked: [unknown] })
    expect(await call({ marked: [unknown, 'x'] })).toMatchObject({ code: 'not_found', at: '/marked/1' })
  })
})
