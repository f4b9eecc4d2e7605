import { expect, test } from 'bun:test'
import { weeklyOverview } from '../../../core/http/weeklyOverview'

test('the overview is written for seven days and the home workspace, unless others are named', () => {
  const lines = weeklyOverview.text({}).split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toBe('Write a one-page overview of the last 7 days for the owner of a business.')
  expect(lines[1]).toBe('Read the home workspace.')
  for (const line of lines) expect(line).toMatch(/^[A-Z].+\.$/)
  const named = weeklyOverview.text({ workspace_id: 'wsp_1', days: '30' })
  expect(named).toContain('the last 30 days')
  expect(named).toContain('Pass workspace_id "wsp_1" to every tool.')
  expect(Object.keys(weeklyOverview.takes ?? {})).toEqual(['workspace_id', 'days'])
})
