import { expect, test } from 'bun:test'
import { shippedSurface } from '../support/shipped'

const recordTypes = [
  'Review',
  'BusinessLocation',
  'Mention',
  'BrandTracker',
  'Lead',
  'VisibilityTracker',
  'VisibilityPrompt',
  'VisibilityRun',
  'AiTrafficSite',
  'AiTrafficDaily',
  'Post',
  'Report',
  'ScheduledReport',
  'Workspace',
  'Notification',
  'Proposal',
  'SyncStatus',
  'ProspectAudit',
]

test('the box offers these eighteen record types, each as a list and one by one', () => {
  const offered = shippedSurface().entities.map(({ name, reads }) => [name, [...reads].toSorted()])
  expect(Object.fromEntries(offered)).toEqual(
    Object.fromEntries(recordTypes.map((name) => [name, ['get', 'list']])),
  )
})
