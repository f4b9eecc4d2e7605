import { describe, expect, test } from 'bun:test'
import { newAgentName } from '../../../ingest/judge/new-agent-name'
import { laterAgents, laterPeople, ofAgents, ofPeople, ofPersons } from '../support/user-agents'

describe('what looks like an agent', () => {
  test.each(ofAgents)('%s is named', (ua, token, host) => {
    expect(newAgentName(ua)).toEqual({ token, host })
  })
  test('is no browser, app or device of people', () => {
    expect([...ofPeople, ...laterPeople].filter((ua) => newAgentName(ua) !== null)).toEqual([])
  })
  test('is found in 14 of 15 user agents that did not shape the rules', () => {
    expect(laterAgents.filter((ua) => newAgentName(ua) === null)).toHaveLength(1)
  })
})

describe('a name', () => {
  test.each(ofPersons)('is not taken from %s', (ua) => expect(newAgentName(ua)).toBeNull())
  test('has no version, address, URL or markup, whatever is around it', () => {
    const strange = [
      '<script>',
      '203.0.113.7',
      '[2001:db8::7]',
      'me@example.com',
      'https://x.example/u/anna',
      '\u202e',
    ]
    for (const text of strange) {
      const found = newAgentName(
        `Mozilla/5.0 (compatible; ${text} OwlBot/1.2 ${text}; +https://owl.example/bot?u=anna)`,
      )
      expect([text, found]).toEqual([text, { token: 'OwlBot', host: 'owl.example' }])
    }
  })
  test.each([
    ['https://anna@owl.example/'],
    ['https://203.0.113.7/'],
    ['https://[2001:db8::7]/'],
    ['https://4915112345678.example/'],
    ['https://intranet/'],
  ])('has no host from %s', (url) => {
    expect(newAgentName(`OwlBot/1.0 (+${url})`)).toEqual({ token: 'OwlBot', host: null })
  })
  test('is read from the first 512 characters, however long the rest is', () => {
    expect(newAgentName(`OwlBot ${'bot '.repeat(1e6)}`)?.token).toBe('OwlBot')
    for (const name of ['ip-8-8-8-8-bot', 'host_8.8.8.8_crawler'])
      expect(newAgentName(`${name}/1.0`)).toBeNull()
    const dialUp = 'https://8-8-8-8.dsl.example.com/bot'
    expect(newAgentName(`OwlBot/1.0 (+${dialUp})`)).toEqual({ token: 'OwlBot', host: null })
    expect(newAgentName(`${' '.repeat(512)}OwlBot`)).toBeNull()
    expect(newAgentName(`${'Long'.repeat(11)}Bot/1.0`)).toBeNull()
  })
})
