import { describe, expect, test } from 'bun:test'
import { agents } from '../../../../ingest/data/agents'
import { aiAgents, type Purpose } from '../../../../plugins/prospects/website/aiAgents'

const purposes: Readonly<Record<string, Purpose>> = {
  training: 'training',
  search_index: 'search',
  ai_answers: 'user',
}
/** What the counter's registry knows from its operator, and what fetches for one of the three purposes. */
const documented = agents
  .filter(
    ({ confidence, client, category }) => confidence === 'documented' && !client && category in purposes,
  )
  .map(({ name, operator, category }) => `${operator} ${name} ${purposes[category]}`)

describe('The agents that a robots.txt is asked about', () => {
  test('are those that the counter knows from their operators', () => {
    const asked = aiAgents.map(({ agent, operator, purpose }) => `${operator} ${agent} ${purpose}`)
    expect(asked.toSorted()).toEqual([...new Set(documented)].toSorted())
  })
  test('are each there once, and those that do as they please fetch for users', () => {
    expect(new Set(aiAgents.map(({ agent }) => agent)).size).toBe(aiAgents.length)
    const unbound = aiAgents.filter(({ heeds_robots_txt }) => !heeds_robots_txt)
    expect(new Set(unbound.map(({ purpose }) => purpose))).toEqual(new Set(['user']))
  })
})
