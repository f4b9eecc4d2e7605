import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as v from 'valibot'
import { publishedRulers } from '../../../../plugins/visibility/rulers/published'
import { visibilityRuler } from '../../../../plugins/visibility/rulers/ruler'

const docs = await Bun.file(join(import.meta.dir, '../../../../docs/owners/visibility-figures.md')).text()

describe('published definitions', () => {
  test('have one id and one name each, and a place of publication unless they are ours', () => {
    expect(new Set(publishedRulers.map(({ definition }) => definition)).size).toBe(publishedRulers.length)
    expect(new Set(publishedRulers.map(({ name }) => name)).size).toBe(publishedRulers.length)
    const ours = publishedRulers.filter(({ source }) => source === null)
    expect(ours.every(({ definition }) => definition.startsWith('visibility.'))).toBe(true)
    expect([...new Set(publishedRulers.map(({ publisher }) => publisher))]).toEqual([
      'Renown',
      'Profound',
      'Peec AI',
      'Otterly.AI',
      'Semrush',
      'Ahrefs Brand Radar',
    ])
  })

  test.each(publishedRulers.map((ruler) => [ruler.definition, ruler] as const))(
    '%s fits the contract and is in the documentation with its source',
    (definition, ruler) => {
      expect(v.safeParse(visibilityRuler.contract, ruler).issues).toBeUndefined()
      expect(docs).toContain(`\`${definition}\``)
      if (ruler.source) expect(docs).toContain(ruler.source.url)
    },
  )

  test('a definition never changes: a change needs a new version', () => {
    const rules = Object.fromEntries(
      publishedRulers.map(({ definition, rule }) => [definition, Object.values(rule).join(' ')]),
    )
    expect(rules).toMatchInlineSnapshot(`
      {
        "ahrefs.citations@1": "left_out counted counted counted meant citations once_per_answer answers answer",
        "ahrefs.mentions@1": "left_out counted counted counted named mentions once_per_answer answers answer",
        "ahrefs.share_of_voice@1": "left_out counted counted counted named mentions once_per_answer namings answer",
        "otterly.brand_coverage@1": "left_out counted counted counted named mentions once_per_answer answers prompt",
        "otterly.share_of_voice@1": "left_out counted counted counted named mentions each_time namings answer",
        "peec.position@1": "left_out counted counted counted named places once_per_answer answers answer",
        "peec.share_of_voice@1": "left_out counted counted counted named mentions each_time namings answer",
        "peec.visibility@1": "left_out counted counted counted named mentions once_per_answer answers answer",
        "profound.share_of_voice@1": "left_out counted counted counted named mentions once_per_answer namings answer",
        "profound.visibility@1": "left_out counted counted counted named mentions once_per_answer answers answer",
        "semrush.mentions@1": "left_out counted counted counted named mentions once_per_answer answers prompt",
        "visibility.citation_rate@1": "left_out counted counted counted meant citations once_per_answer answers answer",
        "visibility.mention_rate@1": "left_out counted counted counted meant mentions once_per_answer answers answer",
        "visibility.mention_rate@2": "left_out left_out left_out left_out meant mentions once_per_answer answers cell",
        "visibility.position@1": "left_out counted counted counted meant places once_per_answer answers answer",
        "visibility.share_of_voice@1": "left_out counted counted counted meant mentions once_per_answer namings answer",
        "visibility.share_of_voice@2": "left_out counted left_out counted meant mentions once_per_answer namings answer",
      }
    `)
  })
})
