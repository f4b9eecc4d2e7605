import { afterAll, beforeAll, expect, test } from 'bun:test'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

const put = (workspace_id: string, business_name: string) =>
  gate.owner.rows(BusinessLocation).insert({
    workspace_id,
    business_name,
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })

test('reads see their workspace and nothing else', async () => {
  const { workspaceId, otherWorkspaceId } = gate.tenant
  const own = await put(workspaceId, 'Own')
  const strange = await put(otherWorkspaceId, 'Strange')
  const reads = await gate.owner.workspaceReads(workspaceId)
  const rows = reads?.rows(BusinessLocation)
  expect(reads?.workspace).toMatchObject({ id: workspaceId, timezone: 'UTC' })
  expect((await rows?.list())?.map(({ business_name }) => business_name)).toEqual(['Own'])
  expect(await rows?.get(own.id)).toMatchObject({ business_name: 'Own' })
  expect(await rows?.get(strange.id)).toBeNull()
  expect(rows).not.toHaveProperty('insert')
})

test('there are no reads in a workspace that does not exist', async () => {
  expect(await gate.owner.workspaceReads('wsp_none')).toBeNull()
})
