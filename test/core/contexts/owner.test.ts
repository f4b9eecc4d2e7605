import { expect, test } from 'bun:test'
import { Workspace } from '../../../core/tenancy/Workspace'
import { startGate } from '../../support/harness'
import { workbench } from '../../support/workbench'

test('without workspaces in the registry none is inactive, and work may begin for any', async () => {
  const { owner, stop } = await workbench([])
  expect(await owner.inactiveWorkspaces()).toEqual([])
  expect(await owner.requireActive('wsp_1')).toBeUndefined()
  await stop()
})

test('chance is that of the product', async () => {
  const { owner, stop } = await workbench([], {}, { random: () => 0.25 })
  expect(owner.random()).toBe(0.25)
  await stop()
})

test('work begins for active workspaces alone', async () => {
  const gate = await startGate()
  try {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    await gate.owner.rows(Workspace).update(otherWorkspaceId, { is_active: false })
    expect(await gate.owner.inactiveWorkspaces()).toEqual([otherWorkspaceId])
    expect(await gate.owner.requireActive(workspaceId)).toBeUndefined()
    await expect(gate.owner.requireActive(otherWorkspaceId)).rejects.toMatchObject({
      code: 'workspace_inactive',
    })
  } finally {
    await gate.stop()
  }
})
