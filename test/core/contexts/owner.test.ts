import { expect, test } from 'bun:test'
import { workbench } from '../../support/workbench'

test('without workspaces in the registry none is inactive, and work may begin for any', async () => {
  const { owner, stop } = await workbench([])
  expect(await owner.inactiveWorkspaces()).toEqual([])
  expect(await owner.requireActive('wsp_1')).toBeUndefined()
  await stop()
})
