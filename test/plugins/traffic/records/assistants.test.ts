import { expect, test } from 'bun:test'
import { assistants } from '../../../../ingest/data/assistants'
import { assistantHosts, hostsNamed, nearestAssistant } from '../../../../plugins/traffic/records/assistants'

test('every assistant that the ingest counts has its hosts, and no other', () => {
  const counted = assistants.map(({ name, hosts, parts = [] }) => [
    name,
    [...new Set([...hosts, ...parts.map((part) => part.split(/[/?]/)[0] ?? '')])],
  ])
  expect(Object.fromEntries(counted)).toEqual(assistantHosts)
})

test.each([
  ['ChatGPT', ['chatgpt.com', 'chat.openai.com', 'labs.openai.com', 'chat.com']],
  [' chat gpt ', ['chatgpt.com', 'chat.openai.com', 'labs.openai.com', 'chat.com']],
  ['chatgpt.com', ['chatgpt.com']],
  ['https://www.ChatGPT.com/c/1', ['chatgpt.com']],
  ['openai', ['chatgpt.com', 'chat.openai.com', 'labs.openai.com', 'chat.com']],
  ['META AI', ['meta.ai']],
])('%p means the hosts %p', (text, hosts) => {
  expect(hostsNamed(text)).toEqual(hosts)
})

test.each(['', '  ', 'ChatGTP', 'example.com', '%', '\u0000'])('%p means none', (text) => {
  expect(hostsNamed(text)).toBeUndefined()
})

test('a mistyped name has the assistant that it is nearest to', () => {
  expect(nearestAssistant('ChatGTP', [])).toBe('ChatGPT')
  expect(nearestAssistant('chatgpt.con', [])).toBe('chatgpt.com')
})
