import { describe, expect, test } from 'bun:test'
import { agents } from '../../ingest/data/agents'
import { agentPattern, countedNames, integrationFiles } from './integration-files'

/** How agents write their names: alone, in the comment of a browser's name, and behind it. */
const forms = (name: string) => [
  name,
  `${name}/1.0`,
  name.toUpperCase(),
  `Mozilla/5.0 (Linux; Android 5.0; ${name}) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36; ${name}`,
]

const people = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 Chrome/117.0 Mobile Safari/537.36',
  'okhttp/4.12.0',
  'Shop/5.1 CFNetwork/1568.200.51 Darwin/24.1.0',
]

const files = [...integrationFiles()].filter(([, text]) => text.includes('(?:(?<!cu)bot'))

test('the node file and the others have a pattern', () => {
  expect(files.length).toBeGreaterThan(0)
})

describe.each(files)('%s', (_, text) => {
  const [source = ''] = /\(\?:\(\?<!cu\)bot[^\n]*\)(?=\/i|["'])/.exec(text) ?? []

  test('selects every agent of the registry, wherever its name stands in the user agent', () => {
    const pattern = new RegExp(source, 'i')
    const missed = countedNames().flatMap((name) => forms(name).filter((ua) => !pattern.test(ua)))
    expect(missed).toEqual([])
  })

  test('selects no ordinary browser and no app', () => {
    const pattern = new RegExp(source, 'i')
    expect(people.filter((ua) => pattern.test(ua))).toEqual([])
  })
})

test('an agent that joins the registry is in the pattern, and what is not counted is not', () => {
  const [first] = agents
  if (!first) throw new Error('the registry is empty')
  const row = { ...first, aliases: [] }
  const pattern = agentPattern([
    { ...row, name: 'Quux.Reader' },
    { ...row, name: 'Quux.Reader-Image' },
    { ...row, name: 'Another', class: 'robots_only' },
  ])
  expect(new RegExp(pattern, 'i').test('quux.reader/2')).toBe(true)
  expect(new RegExp(pattern, 'i').test('quuxareader/2')).toBe(false)
  expect(pattern).toEndWith('|quux\\.reader)')
})
