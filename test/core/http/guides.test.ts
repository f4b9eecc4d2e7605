import { expect, test } from 'bun:test'
import { guideNamed, guideNames, guidesByReader } from '../../../core/http/guides'

test('each document has its reader by its folder, and stands once', () => {
  const groups = new Map(
    [...guidesByReader()].map(([reader, guides]) => [reader, guides.map(({ name }) => name)]),
  )
  expect([...groups.keys()]).toEqual(['For agents and programs', 'For businesses and agencies', 'Optional'])
  const folders = [...groups].map(([, names]) => [
    ...new Set(names.filter((name) => name.includes('/')).map((name) => name.slice(0, name.indexOf('/')))),
  ])
  expect(folders.map((one) => one.toSorted())).toEqual([
    ['agents', 'reference'],
    ['agencies', 'owners'],
    ['contributors', 'operators', 'plugin-authors'],
  ])
  expect([...groups.values()].flat().toSorted()).toEqual([...guideNames()].toSorted())
})

test('a document that is not there is none, whatever its name is', () => {
  for (const name of ['', 'agents/api.md', 'API', '../README', 'constructor'])
    expect(guideNamed(name)).toBeUndefined()
  expect(guideNamed('agents/api')).toMatchObject({ name: 'agents/api', title: expect.any(String) })
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
