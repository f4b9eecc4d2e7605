import { expect, test } from 'bun:test'
import { guideNamed, guideNames, guidesByReader } from '../../../core/http/guides'

test('each document has its reader, in the order in which people read, and stands once', () => {
  const groups = new Map(
    [...guidesByReader()].map(([reader, guides]) => [reader, guides.map(({ name }) => name)]),
  )
  expect([...groups.keys()]).toEqual(['For agents and programs', 'For businesses and agencies', 'Optional'])
  const agents = groups.get('For agents and programs') ?? []
  expect(agents.filter((name) => !name.startsWith('clients/') || name.endsWith('README'))).toEqual([
    'clients/README',
    'SKILLS',
    'API',
    'SURFACE',
    'ERRORS',
    'EVENTS',
    'LIMITS',
    'WEBHOOKS',
  ])
  expect(groups.get('For businesses and agencies')).toEqual([
    'SITE-OWNERS',
    'REVIEWS',
    'VISIBILITY',
    'MENTIONS',
    'LOCATIONS',
    'POSTS',
    'REPORTS',
    'AGENCIES',
    'REGISTRY',
    'WEBSITE-BUILDERS',
    'GLOSSARY',
  ])
  const listed = [...groups.values()].flat()
  expect(listed.toSorted()).toEqual([...guideNames()].toSorted())
  expect(groups.get('Optional')?.some((name) => name.startsWith('clients/'))).toBe(false)
})

test('a document that is not there is none, whatever its name is', () => {
  for (const name of ['', 'API.md', 'api', '../README', 'constructor'])
    expect(guideNamed(name)).toBeUndefined()
  expect(guideNamed('API')).toMatchObject({ name: 'API', title: expect.any(String) })
})

test('a document has its title, and of its first paragraph the sentence that says most, without marks', () => {
  const guides = guideNames().map((name) => guideNamed(name))
  for (const guide of guides) {
    const { name = '', title = '', summary = '', text = '' } = guide ?? {}
    const heading = text.split('\n').find((line) => line.startsWith('# ')) ?? ''
    // A link keeps its words only.
    const words = heading.slice(2).replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    expect([name, title]).toEqual([name, words.replace(/[[\]*`]/g, '')])
    expect([name, /[[\]*`:]$|\]\(/.test(summary)]).toEqual([name, false])
    const isShort = summary === '' || (summary.length >= 35 && summary.length <= 200)
    expect([name, isShort]).toEqual([name, true])
  }
  expect(guides.filter((guide) => guide?.summary !== '').length).toBeGreaterThan(20)
})
